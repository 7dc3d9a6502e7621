import * as api from './api.js'
import { blockedUntil, blockFor, setStale } from './connection.js'
import { fill, h, icon } from './dom.js'
import * as format from './format.js'
import { audit } from './pages/audit.js'
import { deadLetters } from './pages/dead-letters.js'
import { deliveries } from './pages/deliveries.js'
import { events } from './pages/events.js'
import { hotel } from './pages/hotel.js'
import { hotels } from './pages/hotels.js'
import { legacy } from './pages/legacy.js'
import { overview } from './pages/overview.js'
import { sessions } from './pages/sessions.js'
import { forget as forgetRedrives } from './redrives.js'
import { awayView, signInAgain, signInView } from './sign-in.js'
import { themeButton } from './theme-button.js'
import { blockNote, problem } from './widgets.js'

/** Each page's address, name, view, and refresh interval in ms. */
const pages = [
  ['overview', 'Overview', overview, 5_000],
  ['hotels', 'Hotels & setups', hotels, 10_000],
  ['events', 'Events', events, 3_000],
  ['dead-letters', 'Dead letters', deadLetters, 10_000],
  ['deliveries', 'Deliveries', deliveries, 30_000],
  ['audit', 'Audit', audit, 30_000],
  ['sessions', 'Sessions', sessions, 30_000],
  ['legacy', 'Legacy', legacy, 60_000],
]

/** Pages of one record, by the name of its list; the address continues with the record's id. */
const records = { hotels: ['hotel', 'Hotel', hotel, 15_000] }

const place = document.querySelector('#app')
let shown
let isPaused = false
/** Whether the user must sign in again before the current page continues. */
let isOver = false
let timer
/** After a failed refresh, in ms. */
const retryMs = 3_000

/** Page, record and filters from the address: #/events?type=page.created, #/hotels/6b03e9435325fc676743c97b */
function asked() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [name, id] = path.split('/')
  const found = pages.find(([one]) => one === name) ?? pages[0]
  return { section: found[0], found: (id && records[found[0]]) || found, id, query: new URLSearchParams(query) }
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
    else updated.textContent = `Paused at ${format.exactTime(Date.now())} ${format.zone}`
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
          h(
            'div',
            { class: 'account' },
            h('p', {}, `Times in ${format.zone}`),
            h('p', { title: api.who() }, api.who()),
            out,
          ),
        ),
      ),
      h(
        'div',
        { class: 'page' },
        h(
          'div',
          { class: 'head' },
          h('header', { class: 'top' }, title, updated, h('div', { class: 'tools' }, pause, theme)),
          fault,
        ),
        main,
      ),
    ),
  )
  return { nav, title, updated, main, fault, menu }
}

/** Badges beside page names for what needs attention. */
function drawNav(nav, { section, isRecord, dead }) {
  fill(
    nav.firstChild,
    pages.map(([name, text]) =>
      h(
        'li',
        {},
        h(
          'a',
          {
            href: `#/${name}`,
            'aria-current': name === section && (isRecord ? 'true' : 'page'),
            'data-key': `nav-${name}`,
          },
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
  const { section, found, id, query } = asked()
  const [name, text, make, everyMs] = found
  for (const dialog of document.querySelectorAll('dialog:not(.again)')) dialog.close()
  const entitle = title => {
    document.title = `${title} · Console`
    shown.title.textContent = title
  }
  const page = make({ id, query, go, entitle, again: () => void refresh() })
  Object.assign(shown, { section, isRecord: name !== section, page, everyMs, isRefreshing: false, isAskedAgain: false })
  entitle(text)
  shown.menu.setAttribute('aria-expanded', 'false')
  fill(shown.fault)
  fill(shown.main, page.node)
  shown.main.className = `page-${name}`
  drawNav(shown.nav, shown)
  scrollTo({ top: 0, behavior: 'instant' })
  void refresh()
}

/** Changes the filters in the address, without a new history entry. */
function go(name, query = {}) {
  const given = Object.entries(query).filter(([, value]) => value)
  history.replaceState(null, '', `#/${name}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`)
}

async function refresh() {
  clearTimeout(timer)
  const { page } = shown ?? {}
  if (!page || isOver) return
  const blockEnd = blockedUntil()
  if (blockEnd) {
    fill(shown.fault, blockNote(blockEnd))
    return wait(blockEnd - Date.now())
  }
  // Answers of two at a time could arrive in another order.
  if (shown.isRefreshing) {
    shown.isAskedAgain = true
    return
  }
  Object.assign(shown, { isRefreshing: true, isAskedAgain: false })
  let soonMs
  try {
    const status = await api.get('/console/api/status')
    soonMs = await page.refresh(status)
    if (shown?.page !== page) return
    shown.dead = status.bus.dead
    shown.at = Date.now()
    drawNav(shown.nav, shown)
    fill(shown.fault)
    setStale(false)
    if (!isPaused) shown.updated.textContent = `Updated ${format.exactTime(shown.at)} ${format.zone}`
  } catch (error) {
    if (error.status === 429) blockFor(error.waitMs)
    if (shown?.page !== page) return
    if (error.status !== 429) {
      setStale(true)
      // The sign-in dialog opens over the page.
      if (!isOver)
        fill(
          shown.fault,
          problem(error, () => void refresh(), staleNote()),
        )
      soonMs = retryMs
    }
  }
  shown.isRefreshing = false
  if (shown.isAskedAgain || blockedUntil()) void refresh()
  else wait(soonMs)
}

/** What a page shows while the platform doesn't respond. */
const staleNote = () =>
  shown.at
    ? `This page shows ${format.exactTime(shown.at)} ${format.zone}. Actions are off until it is up to date.`
    : undefined

/** Waits for the next refresh, and longer while text is selected. */
function wait(ms = shown?.everyMs) {
  clearTimeout(timer)
  timer = setTimeout(() => {
    if (!shown || isPaused || document.hidden) return
    const marked = getSelection()
    if (!marked.isCollapsed && shown.main.contains(marked.anchorNode)) wait()
    else void refresh()
  }, ms)
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
  forgetRedrives()
  setStale(false)
  blockFor(0)
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
    timer = setTimeout(() => void begin(), error.waitMs ?? 5_000)
  }
}

api.onSignedOut((error, isWanted) => void leave(error, isWanted))
addEventListener('hashchange', show)
// The browser knows of a lost network before a request fails.
for (const type of ['online', 'offline']) addEventListener(type, () => void refresh())
document.addEventListener('visibilitychange', () => !document.hidden && !isPaused && void refresh())

await begin()
