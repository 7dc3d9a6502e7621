import * as api from './api.js'
import { fill, h, icon } from './dom.js'
import { button } from './widgets.js'

/** Name and password, and the button. `refused` is called for users who aren't platform administrators. */
function fields({ name = '', message, entered, refused }) {
  const fault = h('p', { class: 'dialog-error', role: 'alert' }, message)
  const email = h('input', {
    type: 'email',
    name: 'email',
    autocomplete: 'username',
    required: true,
    id: 'email',
    value: name,
  })
  const password = h('input', {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
    required: true,
    id: 'password',
  })
  const submit = h('button', { class: 'button primary', type: 'submit' }, 'Sign in')
  const send = async event => {
    event.preventDefault()
    submit.disabled = true
    fault.textContent = ''
    try {
      await api.signIn(email.value, password.value)
      entered()
    } catch (error) {
      if (error.status === 403) return refused(error)
      fault.textContent = error.status === 401 ? 'Wrong e-mail or password.' : error.message
      submit.disabled = false
      password.focus()
    }
  }
  const rows = [
    h('label', { class: 'field', for: 'email' }, h('span', {}, 'E-mail'), email),
    h('label', { class: 'field', for: 'password' }, h('span', {}, 'Password'), password),
    fault,
    submit,
  ]
  return { rows, send, focus: () => (name ? password : email).focus() }
}

const mark = () => h('div', { class: 'sign-in-mark', 'aria-hidden': 'true' }, h('span', { class: 'mark' }))

/** The sign-in form, or the refusal of a user who isn't a platform administrator. */
export function signInView(enter, reason) {
  const view = h('main', { class: 'sign-in' })
  const refused = error =>
    fill(
      view,
      h(
        'div',
        { class: 'sign-in-card' },
        h('div', { class: 'sign-in-mark bad' }, icon('alert')),
        h('h1', {}, 'No access'),
        h('p', {}, 'You are signed out. ', error.message, '.'),
        h('p', { class: 'hint' }, 'Ask a platform administrator for access (403).'),
        button('Sign in as another user', { kind: 'primary', on: { click: () => form() } }),
      ),
    )
  const form = message => {
    const { rows, send, focus } = fields({ message, entered: enter, refused })
    fill(
      view,
      h(
        'form',
        { class: 'sign-in-card', on: { submit: send } },
        mark(),
        h('h1', {}, 'Operator’s console'),
        h('p', { class: 'hint' }, 'For platform administrators.'),
        rows,
      ),
    )
    focus()
  }
  if (reason?.status === 403) refused(reason)
  else form(reason?.message)
  return view
}

/**
 * The form over a page whose sign-in has ended: the page stays hidden below, with what was opened and typed, until the
 * user is back.
 */
export function signInAgain(email, entered, leave) {
  const done = () => {
    dialog.close()
    entered()
  }
  const { rows, send, focus } = fields({ name: email, entered: done, refused: leave })
  const dialog = h(
    'dialog',
    { class: 'again', 'aria-labelledby': 'again-title' },
    h(
      'form',
      { class: 'sign-in-card', on: { submit: send } },
      mark(),
      h('h1', { id: 'again-title' }, 'Sign in again'),
      h('p', { class: 'hint' }, 'Your session has expired. The page stays as you left it.'),
      rows,
      button('Leave this page', { on: { click: () => leave({ isFirst: true }) } }),
    ),
  )
  dialog.addEventListener('cancel', event => event.preventDefault())
  dialog.addEventListener('close', () => dialog.remove())
  document.body.append(dialog)
  dialog.showModal()
  focus()
}

/** Replaces the page while the platform doesn't answer, or refuses too many requests, and the user is unknown. */
export const awayView = (error, again) =>
  h(
    'main',
    { class: 'sign-in' },
    h(
      'div',
      { class: 'sign-in-card', role: 'alert' },
      h('div', { class: 'sign-in-mark bad' }, icon('alert')),
      h('h1', {}, error.status === 429 ? 'Too many requests' : 'Not available'),
      h('p', {}, error.message),
      h(
        'p',
        { class: 'hint' },
        `The console retries ${error.status === 429 ? 'by then' : 'every few seconds'} and resumes where you left off.`,
      ),
      button('Try again', { kind: 'primary', 'data-key': 'again', on: { click: again } }),
    ),
  )
