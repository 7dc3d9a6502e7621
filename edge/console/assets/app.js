import * as api from './api.js'
import { fill, h, icon } from './dom.js'
import * as format from './format.js'
import { deadLetters } from './page-dead-letters.js'
import { deliveries } from './page-deliveries.js'
import { events } from './page-events.js'
import { hotels } from './page-hotels.js'
import { legacy } from './page-legacy.js'
import { overview } from './page-overview.js'
import { services } from './page-services.js'
import { sessions } from './page-sessions.js'
import { awayView, signInAgain, signInView } from './sign-in.js'
import { forget, readStatus } from './status.js'
import { themeButton } from './theme-button.js'
import { problem } from './widgets.js'

/** Each page's address, name, view, and refresh interval in ms. */
const pages = [
  ['overview', 'Overview', overview, 5_000],
  ['hotels', 'Hotels & setups', hotels, 10_000],
  ['services', 'Services', services, 5_000],
  ['events', 'Events', events, 3_000],
  ['dead-letters', 'Dead letters', deadLetters, 10_000],
  ['deliveries', 'Deliveries', deliveries, 30_000],
  ['sessions', 'Sessions', sessions, 30_000],
  ['legacy', 'Legacy', legacy, 60_000],
]

const place = document.querySelector('#app')
let shown
let isPaused = false
/** Whether the user must sign in again before the current page continues. */
let isOver = false
let timer

/** Page name and filters from the address: #/events?type=page.created */
function asked() {
  const [name = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const found = pages.find(([one]) => one === name) ?? pages[0]
  return { found, query: new URLSearchParams(query) }
}

function frame() {
  const nav = h('nav', { 'aria-label': 'Pages', id: 'nav' }, h('ul', {}))
  const title = h('h1', { tabindex: '-1' })
  const updated = h('p', { class: 'updated' })
  const pause = h('button', { type: 'button', class: 'plain' })
  const theme = h('button', { type: 'button', class: 'plain' })
  const main = h('main', { id: 'main' })
  const fault = h('div', {})
  const menu = h(
    'button',
    { type: 'button', class: 'plain menu', 'aria-expanded': 'false', 'aria-controls': 'nav', 'aria-label': 'Menu' },
    icon('menu'),
  )
  const drawPause = () => {
    fill(pause, icon(isPaused ? 'play' : 'pause'), isPaused ? 'Resume' : 'Pause')
    pause.setAttribute('aria-label', isPaused ? 'Resume updates' : 'Pause updates')
  }
  pause.addEventListener('click', () => {
    isPaused = !isPaused
    drawPause()
    if (!isPaused) void refresh()
    else updated.textContent = `Paused at ${format.exactTime(Date.now())}`
  })
  drawPause()
  themeButton(theme)
  menu.addEventListener('click', () =>
    menu.setAttribute('aria-expanded', String(menu.getAttribute('aria-expanded') !== 'true')),
  )
  const out = h('button', { type: 'button', class: 'plain', on: { click: () => leave() } }, icon('leave'), 'Sign out')
  fill(
    place,
    h(
      'a',
      { class: 'skip', href: '#main', on: { click: event => (event.preventDefault(), title.focus()) } },
      'Skip to content',
    ),
    h(
      'div',
      { class: 'frame' },
      h(
        'aside',
        {},
        h(
          'div',
          { class: 'rail' },
          h(
            'div',
            { class: 'brand' },
            h('span', { class: 'mark', 'aria-hidden': 'true' }),
            h('span', {}, 'Console'),
            menu,
          ),
          nav,
          h('div', { class: 'account' }, h('p', { title: api.who() }, api.who()), out),
        ),
      ),
      h(
        'div',
        { class: 'page' },
        h('header', { class: 'top' }, title, updated, h('div', { class: 'tools' }, pause, theme)),
        fault,
        main,
      ),
    ),
  )
  return { nav, title, updated, main, fault, menu }
}

/** Badges beside page names for what needs attention. */
function drawNav(nav, current) {
  const dead = shown?.dead
  fill(
    nav.firstChild,
    pages.map(([name, text]) =>
      h(
        'li',
        {},
        h(
          'a',
          { href: `#/${name}`, 'aria-current': name === current && 'page', 'data-key': `nav-${name}` },
          icon(name),
          text,
          name === 'dead-letters' &&
            dead > 0 &&
            h('span', { class: 'mark-count' }, format.short(dead), h('span', { class: 'unseen' }, ' pending')),
        ),
      ),
    ),
  )
}

function show() {
  if (!shown) return
  const { found, query } = asked()
  const [name, text, make, everyMs] = found
  for (const dialog of document.querySelectorAll('dialog:not(.again)')) dialog.close()
  const page = make({ query, go, again: () => void refresh() })
  Object.assign(shown, { name, page, everyMs })
  document.title = `${text} · Console`
  shown.title.textContent = text
  shown.menu.setAttribute('aria-expanded', 'false')
  fill(shown.fault)
  fill(shown.main, page.node)
  shown.main.className = `page-${name}`
  drawNav(shown.nav, name)
  void refresh()
}

/** Changes the filters in the address, without a new history entry. */
function go(name, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value)
  history.replaceState(null, '', `#/${name}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`)
}

async function refresh() {
  clearTimeout(timer)
  const { page, name } = shown ?? {}
  if (!page || isOver) return
  try {
    const status = await readStatus()
    await page.refresh(status)
    if (shown?.page !== page) return
    shown.dead = status.bus.dead
    drawNav(shown.nav, name)
    fill(shown.fault)
    if (!isPaused) shown.updated.textContent = `Updated ${format.exactTime(Date.now())}`
  } catch (error) {
    if (shown?.page !== page) return
    // The sign-in dialog opens over the page.
    if (!isOver)
      fill(
        shown.fault,
        problem(error, () => void refresh()),
      )
  }
  wait()
}

/** Waits for the next refresh, and longer while text is selected. */
function wait() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!shown || isPaused || document.hidden) return
    const marked = getSelection()
    if (!marked.isCollapsed && shown.main.contains(marked.anchorNode)) wait()
    else void refresh()
  }, shown.everyMs)
}

/** The sign-in expired: the page stays below the dialog until the user signs in again. */
function over() {
  clearTimeout(timer)
  if (isOver) return
  isOver = true
  const email = shown.who
  signInAgain(
    email,
    () => {
      isOver = false
      // The page may show another user's data.
      if (api.who() !== email) enter()
      else void refresh()
    },
    error => {
      isOver = false
      void leave(error)
    },
  )
}

async function leave(error, isWanted = false) {
  if (error?.status === 401 && shown && !isWanted) return over()
  clearTimeout(timer)
  shown = undefined
  isOver = false
  forget()
  if (!error) await api.signOut()
  for (const dialog of document.querySelectorAll('dialog')) dialog.close()
  document.title = 'Sign in · Console'
  fill(place, signInView(enter, error))
  place.querySelector('input')?.focus()
}

function enter() {
  shown = { ...frame(), who: api.who() }
  show()
}

async function begin() {
  clearTimeout(timer)
  try {
    if (await api.resume()) enter()
    else await leave({ isFirst: true })
  } catch (error) {
    if (error.status === 403) return leave(error)
    // The sign-in may still be valid: an outage must not ask for a password.
    fill(place, awayView(error, begin))
    timer = setTimeout(() => void begin(), 5_000)
  }
}

api.onSignedOut((error, isWanted) => void leave(error, isWanted))
addEventListener('hashchange', show)
document.addEventListener('visibilitychange', () => !document.hidden && !isPaused && void refresh())

await begin()
