/** Whether the platform stopped answering since the page was drawn. */
let isLost = false
/** Until when the page isn't refreshed, in ms since 1970, because the platform refused too many requests (429). */
let blockEnd = 0

export function blockFor(ms) {
  blockEnd = Date.now() + ms
}

/** When refreshes may go on; undefined for now. */
export const blockedUntil = () => (blockEnd > Date.now() ? blockEnd : undefined)

/** True while the rows on the page may be out of date. */
export const isStale = () => isLost

/** Turns every button that changes something off, or on again. */
export function setStale(value) {
  isLost = value
  document.documentElement.classList.toggle('stale', value)
  for (const button of document.querySelectorAll('[data-changes]')) mark(button)
}

/** Buttons stay focusable, so that focus isn't lost when the connection is. */
export function mark(button) {
  if (isLost) button.setAttribute('aria-disabled', 'true')
  else button.removeAttribute('aria-disabled')
}

export const staleText = 'Not connected: nothing was changed. Try again once the platform responds.'
