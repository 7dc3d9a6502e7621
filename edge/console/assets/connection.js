/** Whether the platform stopped answering since the page was drawn. */
let isLost = false

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
