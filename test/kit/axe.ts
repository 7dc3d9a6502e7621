import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { comesTrue } from './browser.ts'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type Axe = {
  run(options: object): Promise<{ violations: { id: string; impact: string; nodes: { html: string }[] }[] }>
}

/**
 * What axe finds on the shown page that hinders some people, one kind per line, with the elements.
 * @param ignoredRules rules that don't apply to this page
 */
export async function hindrances(page: Page, ignoredRules: string[] = []): Promise<string[]> {
  // Colours are checked once transitions have ended.
  const isMoving = 'document.getAnimations().some(one => one instanceof CSSTransition && one.playState === "running")'
  await comesTrue(page, `!${isMoving}`)
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(source)
  const rules = {
    // A name begins with what is shown, so that somebody can speak it.
    'label-content-name-mismatch': { enabled: true },
    ...Object.fromEntries(ignoredRules.map(rule => [rule, { enabled: false }])),
  }
  const { violations } = await page.evaluate(options => (globalThis as unknown as { axe: Axe }).axe.run(options), {
    resultTypes: ['violations'],
    rules,
  })
  return violations.map(({ id, impact, nodes }) => `${impact} ${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
