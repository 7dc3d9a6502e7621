import { isStale, staleText } from './connection.js'
import { h, icon, keyed } from './dom.js'
import { button, changing } from './widgets.js'

const toastIcons = { good: 'check', bad: 'alert', warn: 'alert', info: 'deliveries' }

/** A message that disappears by itself; failures (bad) stay until they are closed. */
export function toast(text, tone = 'good') {
  const note = h('div', { class: `toast ${tone}` }, icon(toastIcons[tone]), h('p', {}, text))
  const close = () => note.remove()
  note.append(
    h('button', { type: 'button', class: 'plain', 'aria-label': 'Close', on: { click: close } }, icon('close')),
  )
  document.querySelector('#toasts').append(note)
  if (tone !== 'bad') setTimeout(close, 6_000)
}

function open(dialog, opener) {
  document.body.append(dialog)
  dialog.addEventListener('close', () => {
    dialog.remove()
    // A refresh may have replaced it meanwhile.
    const key = opener?.dataset?.key
    const place = opener?.isConnected ? opener : key && keyed(document, key)
    place?.focus()
  })
  dialog.showModal()
  return dialog
}

/**
 * Asks for confirmation, and stays open during the action. Nothing is done while the page is out of date.
 * @returns whether it was done; a refusal is shown in the dialog, which then asks again
 */
export function confirm({ title, text, action, tone = 'primary' }, act) {
  if (isStale()) {
    toast(staleText, 'warn')
    return Promise.resolve(false)
  }
  const opener = document.activeElement
  return new Promise(resolve => {
    const fault = h('p', { class: 'dialog-error', role: 'alert' })
    const no = button('Cancel', { on: { click: () => dialog.close() } })
    const yes = changing(action, { kind: tone })
    const dialog = h(
      'dialog',
      { class: 'ask', 'aria-labelledby': 'ask-title' },
      h('h2', { id: 'ask-title' }, title),
      h('p', {}, text),
      fault,
      h('div', { class: 'actions' }, no, yes),
    )
    let isDone = false
    dialog.addEventListener('cancel', event => no.disabled && event.preventDefault())
    yes.addEventListener('click', async () => {
      if (isStale()) {
        fault.textContent = staleText
        return
      }
      yes.disabled = no.disabled = true
      fault.textContent = ''
      try {
        await act()
        isDone = true
        dialog.close()
      } catch (error) {
        fault.textContent = error.message
        yes.disabled = no.disabled = false
        if (error.status !== 404) return yes.focus()
        // The target no longer exists.
        yes.remove()
        no.textContent = 'Close'
        no.focus()
      }
    })
    dialog.addEventListener('close', () => resolve(isDone))
    open(dialog, opener)
  })
}

/** A sheet at the right side; `content` receives the function that closes it. */
export function sheet(title, content) {
  const opener = document.activeElement
  const close = () => dialog.close()
  const dialog = h(
    'dialog',
    { class: 'sheet', 'aria-labelledby': 'sheet-title' },
    h(
      'header',
      {},
      h('h2', { id: 'sheet-title' }, title),
      h('button', { type: 'button', class: 'plain', 'aria-label': 'Close', on: { click: close } }, icon('close')),
    ),
    h('div', { class: 'sheet-body' }, content(close)),
  )
  dialog.addEventListener('click', event => event.target === dialog && close())
  return open(dialog, opener)
}

/** JSON as text, with keys and values in different colours. */
export function jsonText(value) {
  const text = JSON.stringify(value, null, 2)
  const parts = text.split(/("(?:\\.|[^"\\])*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/)
  const kindOf = part => (part.startsWith('"') ? (part.endsWith(':') ? 'key' : 'text') : 'value')
  return h(
    'pre',
    { class: 'json', tabindex: '0', role: 'region', 'aria-label': 'Content as JSON' },
    parts.map((part, at) => (at % 2 === 1 ? h('span', { class: `json-${kindOf(part)}` }, part) : part)),
  )
}
