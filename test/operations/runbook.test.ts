import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { sources } from '../../cli/sources.ts'

const test = suite('runbook')
const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const runbook = 'docs/guides/runbook.md'

/** The anchors of a document's headings, as GitHub and the documentation make them. */
const anchorsOf = (path: string): Set<string> =>
  new Set(
    [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(/\s/g, '-'),
    ),
  )

test('each alert names a section of the runbook, which names the alert', () => {
  const { groups } = parse(read('deploy/monitoring/prometheus-rules.yaml')) as {
    groups: { rules: { alert: string; annotations: Record<string, string> }[] }[]
  }
  const anchors = anchorsOf(runbook)
  const alerts = groups.flatMap(({ rules }) => rules)
  assert.ok(alerts.length >= 20)
  for (const { alert, annotations } of alerts) {
    const [address, anchor = ''] = annotations['runbook_url']?.split('#') ?? []
    assert.equal([alert, address, anchors.has(anchor)], [alert, `https://docs.example/${runbook}`, true])
    const section = read(runbook)
      .split(/^## /m)
      .find(text => anchorOfFirstLine(text) === anchor)
    assert.match(section ?? '', `\`${alert}\``)
  }
  const alertWords = [...read(runbook).matchAll(/^Alerts? (.+?)\./gm)].flatMap(
    ([, text = '']) => text.match(/\w+/g) ?? [],
  )
  const knownAlerts = new Set(alerts.map(({ alert }) => alert))
  assert.equal(
    alertWords.filter(word => /^[A-Z][a-z]+[A-Z]/.test(word) && !knownAlerts.has(word)),
    [],
  )
})

const anchorOfFirstLine = (text: string): string =>
  (text.split('\n')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(/\s/g, '-')

test('every section of the runbook that the code names exists', () => {
  const anchors = anchorsOf(runbook)
  const references = sources().flatMap(({ text }) => [...text.matchAll(/(?:runbook\.md|\$\{runbook\})#([a-z-]+)/g)])
  assert.ok(references.length >= 5)
  for (const [, anchor = ''] of references) assert.ok(anchors.has(anchor), anchor)
})

test('links between the documents lead to files and headings that exist', () => {
  const documents = ['docs', 'docs/guides', 'docs/decisions', '.'].flatMap(folder =>
    readdirSync(join(root, folder))
      .filter(name => name.endsWith('.md'))
      .map(name => join(folder, name)),
  )
  const brokenLinks = documents.flatMap(document =>
    [...read(document).matchAll(/\]\(([^)\s:]*?\.md)?(?:#([^)\s]+))?\)/g)].flatMap(([link, path, anchor]) => {
      const target = path === undefined ? document : join(dirname(document), path)
      const isFound = existsSync(join(root, target)) && (anchor === undefined || anchorsOf(target).has(anchor))
      return isFound ? [] : [`${document}: ${link}`]
    }),
  )
  assert.equal(brokenLinks, [])
})

test.run()
