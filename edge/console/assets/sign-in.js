import * as api from './api.js'
import { fill, h, icon } from './dom.js'

/** The form at the beginning, or the refusal of somebody who is no platform administrator. */
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
        h('p', { class: 'hint' }, 'Ask an administrator of the platform if you need to see it (403).'),
        h(
          'button',
          { type: 'button', class: 'button primary', on: { click: () => form() } },
          'Sign in as somebody else',
        ),
      ),
    )
  const form = message => {
    const said = h('p', { class: 'dialog-error', role: 'alert' }, message)
    const email = h('input', { type: 'email', name: 'email', autocomplete: 'username', required: true, id: 'email' })
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
      said.textContent = ''
      try {
        await api.signIn(email.value, password.value)
        enter()
      } catch (error) {
        if (error.status === 403) return refused(error)
        said.textContent = error.status === 401 ? 'This e-mail and password do not belong together.' : error.message
        submit.disabled = false
        password.focus()
      }
    }
    fill(
      view,
      h(
        'form',
        { class: 'sign-in-card', on: { submit: send } },
        h('div', { class: 'sign-in-mark', 'aria-hidden': 'true' }, h('span', { class: 'mark' })),
        h('h1', {}, 'Operator’s console'),
        h('p', { class: 'hint' }, 'For administrators of the platform.'),
        h('label', { class: 'field', for: 'email' }, h('span', {}, 'E-mail'), email),
        h('label', { class: 'field', for: 'password' }, h('span', {}, 'Password'), password),
        said,
        submit,
      ),
    )
    email.focus()
  }
  if (reason?.status === 403) refused(reason)
  else
    form(reason && !reason.isFirst ? (reason.status === 401 ? 'Your sign-in has ended.' : reason.message) : undefined)
  return view
}
