/**
 * Evaluated in a page: each word of a table, chip, tag, button or tab that is broken over two lines or cut off at an
 * edge, and the width by which the page exceeds the window.
 */
export const faultyBoxes = String.raw`(() => {
  const shadows = [...document.querySelectorAll('platform-inbox')].flatMap(host => host.shadowRoot ?? [])
  const selector = 'td, th, dd, button, .button, .chip, .tag, .section-nav a, [role="tab"], summary'
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
          const where = '“' + word + '” in ' + box.tagName.toLowerCase() + '.' + box.className
          if (rects.some(({ top }) => Math.abs(top - rects[0].top) > 2)) faults.add('broken ' + where)
          const edge = cutterOf(parent)?.getBoundingClientRect()
          if (edge && rects.some(({ left, right }) => right > edge.right + 1 || left < edge.left - 1))
            faults.add('cut off ' + where)
        }
      }
    }
  const excess = document.documentElement.scrollWidth - document.documentElement.clientWidth
  const edge = document.documentElement.clientWidth
  const wide = [...document.body.querySelectorAll('*')].findLast(one => one.getBoundingClientRect().right > edge && !one.closest('.chips, .section-nav'))
  if (excess > 0) faults.add(excess + ' px wider than the window, by ' + wide?.outerHTML.slice(0, 120))
  return [...faults]
})()`
