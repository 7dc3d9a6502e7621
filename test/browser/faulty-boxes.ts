import type { Page } from 'playwright-core'

const widths = [320, 390, 768, 1280, 1920]

/** Faults of the shown screen at each width: words that are cut, and what is wider than the window. */
export async function measureBoxes(page: Page, name: string): Promise<string[]> {
  const faults: string[] = []
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    faults.push(...(await page.evaluate<string[]>(faultyBoxes)).map(fault => `${name} at ${width} px: ${fault}`))
  }
  return faults
}

/**
 * Evaluated in a page: each word of a table, list, chip, tag, button or tab that is broken over two lines or cut off at an
 * edge, and the width by which the page exceeds the window.
 */
export const faultyBoxes = String.raw`(() => {
  const shadows = [...document.querySelectorAll('platform-inbox')].flatMap(host => host.shadowRoot ?? [])
  const selector = 'td, th, dd, .rows > li, button, .button, .chip, .tag, .section-nav a, [role="tab"], summary'
  const faults = new Set()
  const isHidden = element => {
    const { width, height } = element.getBoundingClientRect()
    return width <= 1 || height <= 1 || !element.checkVisibility({ visibilityProperty: true })
  }
  // The nearest element that cuts off what doesn't fit.
  const cutterOf = element => {
    for (let one = element; one; one = one.parentElement) {
      const { overflowX } = getComputedStyle(one)
      if (/hidden|clip/.test(overflowX)) return one
      if (/auto|scroll/.test(overflowX)) return undefined
    }
  }
  for (const root of [document, ...shadows])
    for (const box of root.querySelectorAll(selector)) {
      const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const parent = node.parentElement
        if (!parent || isHidden(parent) || parent.closest('.unseen, .hidden')) continue
        for (const { 0: word, index } of node.textContent.matchAll(/[\p{L}\p{N}]+/gu)) {
          const range = document.createRange()
          range.setStart(node, index)
          range.setEnd(node, index + word.length)
          const rects = [...range.getClientRects()].filter(({ width }) => width > 0)
          const place = '“' + word + '” in ' + box.tagName.toLowerCase() + '.' + box.className
          if (rects.some(({ top }) => Math.abs(top - rects[0].top) > 2)) faults.add('broken ' + place)
          const edge = cutterOf(parent)?.getBoundingClientRect()
          if (edge && rects.some(({ left, right }) => right > edge.right + 1 || left < edge.left - 1))
            faults.add('cut off ' + place)
        }
      }
    }
  const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth
  const edge = document.documentElement.clientWidth
  const wide = [...document.body.querySelectorAll('*')].findLast(one => one.getBoundingClientRect().right > edge && !one.closest('.chips, .section-nav'))
  if (excess > 0) faults.add(excess + ' px wider than the window, by ' + wide?.outerHTML.slice(0, 120))
  return [...faults]
})()`
