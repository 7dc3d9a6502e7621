import { h, icon, iconButton, prose, settle, webAddress } from './dom.js'
import { ago, dayName, exact } from './time.js'

const nameOf = ({ firstName, lastName }) => [firstName, lastName].filter(Boolean).join(' ')
const initialsOf = ({ firstName, lastName }) => `${firstName?.[0] ?? ''}${lastName?.[0] ?? ''}`.toLocaleUpperCase()

/** The actor's picture, or the subject's icon. Initials stay when the picture doesn't load. */
function face({ actor, type }) {
  if (!actor || !initialsOf(actor)) return h('span', { class: 'face', part: 'face' }, icon(type))
  const photo = webAddress(actor.photo_url)
  const image =
    photo &&
    h('img', { src: photo, alt: '', loading: 'lazy', referrerpolicy: 'no-referrer', onerror: () => image.remove() })
  return h('span', { class: 'face', part: 'face' }, initialsOf(actor), image, h('span', { class: 'kind' }, icon(type)))
}

/** One notification: a link or button, with its actions beside it. */
function createRow(item, acts) {
  const href = webAddress(item.data?.url)
  const dot = h('span', { class: 'dot', part: 'dot' })
  const state = h('span', { class: 'hidden' })
  const time = h('time', { datetime: item.createdAt })
  const who = prose('', { class: 'who' })
  const picture = h('span', { class: 'picture', 'aria-hidden': 'true' })
  const title = prose('')
  const text = prose('')
  const body = h('span', { class: 'text' }, text)
  const main = h(
    href ? 'a' : 'button',
    { class: 'main', part: 'item', tabindex: -1, ...(href ? { href, rel: 'noopener' } : { type: 'button' }) },
    picture,
    h(
      'span',
      { class: 'words' },
      state,
      h('span', { class: 'headline' }, title),
      item.body ? body : null,
      h('span', { class: 'facts' }, who, time),
    ),
    dot,
  )
  const toggle = iconButton('read', '', () => acts.toggle(row.item), { tabindex: -1, 'data-act': 'toggle' })
  const move = iconButton('archive', '', () => acts.move(row.item), { tabindex: -1, 'data-act': 'move' })
  main.addEventListener('click', event => acts.click(row.item, event, href))
  const element = h('li', { class: 'row', 'data-id': item.id }, main, h('span', { class: 'actions' }, toggle, move))
  const label = (button, name, text) => {
    const whole = `${text}: ${row.item.title}`
    if (button.getAttribute('aria-label') === whole) return
    button.title = text
    button.setAttribute('aria-label', whole)
    button.replaceChildren(icon(name))
  }
  let faceOf
  const row = {
    item,
    element,
    main,
    stops: [main, toggle, move],
    show(next, view, tab) {
      const { t } = view
      row.item = next
      element.classList.toggle('is-unread', !next.isRead)
      element.part = next.isRead ? 'row' : 'row row-unread'
      // A frame comes in the member's language, the list in that of the page.
      if (title.textContent !== next.title) title.textContent = next.title
      if (text.textContent !== next.body) text.textContent = next.body
      state.textContent = next.isRead ? '' : `${t.isUnread}: `
      const date = new Date(next.createdAt)
      const name = next.actor ? nameOf(next.actor) : ''
      // Titles mostly begin with the name already.
      who.textContent = name && !next.title.includes(name) ? name : ''
      time.textContent = ago(date, view.language)
      time.title = exact(date, view)
      const key = JSON.stringify(next.actor)
      if (key !== faceOf) picture.replaceChildren(face(next))
      faceOf = key
      label(toggle, next.isRead ? 'unreadAgain' : 'read', next.isRead ? t.unreadAgain : t.read)
      toggle.hidden = tab === 'archived'
      label(move, tab === 'archived' ? 'restore' : 'archive', tab === 'archived' ? t.restore : t.archive)
    },
  }
  return row
}

const steps = { ArrowDown: 1, ArrowUp: -1 }

/**
 * The list, grouped by days. One row is in the Tab order; the arrow keys, Home and End move between rows, Delete
 * archives and restores.
 * @param acts click(item, event, href), toggle(item), move(item), more()
 */
export function createList(acts) {
  const rows = new Map()
  const days = new Map()
  const foot = h('div', { class: 'foot', role: 'presentation' })
  const element = h('div', { class: 'list', part: 'list' }, foot)
  let order = []
  let current

  const watcher = new IntersectionObserver(entries => entries.some(entry => entry.isIntersecting) && acts.more(), {
    root: element,
    rootMargin: '300px',
  })
  watcher.observe(foot)

  const rove = id => {
    current = id
    for (const [key, { stops }] of rows) for (const stop of stops) stop.tabIndex = key === id ? 0 : -1
  }
  const focus = (index, control = 0) => {
    const row = rows.get(order[Math.max(0, Math.min(order.length - 1, index))])
    if (!row) return false
    rove(row.item.id)
    row.stops[control].focus()
    row.element.scrollIntoView({ block: 'nearest' })
    return true
  }

  element.addEventListener('focusin', ({ target }) => {
    const id = target.closest('.row')?.dataset.id
    if (id && id !== current) rove(id)
  })
  element.addEventListener('keydown', event => {
    const { key, target, altKey, ctrlKey, metaKey } = event
    const id = target.closest('.row')?.dataset.id
    const row = rows.get(id)
    if (!row || altKey || ctrlKey || metaKey) return
    const at = order.indexOf(id)
    if (key in steps) focus(at + steps[key])
    else if (key === 'Home') focus(0)
    else if (key === 'End') focus(order.length - 1)
    else if (key === 'Delete') acts.move(row.item)
    else if (key === 'ArrowRight' || key === 'ArrowLeft') {
      const isAhead = (key === 'ArrowRight') === (getComputedStyle(element).direction === 'ltr')
      const stops = row.stops.filter(stop => !stop.hidden)
      stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(target) + (isAhead ? 1 : -1)))].focus()
    } else return
    event.preventDefault()
  })

  const day = name => {
    if (!days.has(name)) {
      const heading = h('h3', { id: `day-${crypto.randomUUID()}` }, name)
      const list = h('ul', { role: 'list', 'aria-labelledby': heading.id })
      days.set(name, { section: h('section', { part: 'day' }, heading, list), list })
    }
    return days.get(name)
  }

  return {
    element,
    /**
     * Focuses the current row, or the first one.
     * @returns false without rows
     */
    focus: () => focus(Math.max(0, order.indexOf(current))),
    /** Focuses a row, which then shows its whole text. @returns whether it is in the list */
    select: id => rows.has(id) && focus(order.indexOf(id)),
    /** Moves the focus from a removed row to the one that takes its place. */
    leave(id) {
      const at = order.indexOf(id)
      const isWithin = rows.get(id)?.element.contains(element.getRootNode().activeElement)
      return () => isWithin && (focus(at) || element.dispatchEvent(new Event('emptied')))
    },
    show({ items, tab, ...state }, view) {
      const { t } = view
      const groups = new Map()
      const gone = new Set(rows.keys())
      for (const item of items) {
        gone.delete(item.id)
        const row = rows.get(item.id) ?? createRow(item, acts)
        rows.set(item.id, row)
        row.show(item, view, tab)
        const name = dayName(new Date(item.createdAt), view)
        groups.set(name, [...(groups.get(name) ?? []), row.element])
      }
      for (const id of gone) rows.delete(id)
      for (const name of days.keys()) if (!groups.has(name)) days.delete(name)
      order = items.map(item => item.id)
      const sections = [...groups].map(([name, elements]) => {
        const { section, list } = day(name)
        settle(list, elements)
        return section
      })
      settle(foot, footOf(state, items, tab, t, acts))
      settle(element, [...sections, foot])
      if (!rows.has(current) && order.length > 0) rove(order[0])
      else rove(current)
      // Restarted, because the observer doesn't fire again for an end that stays in sight.
      watcher.unobserve(foot)
      if (!state.isEnd) watcher.observe(foot)
    },
  }
}

/** The text below the last row: loading, an error, or the end. */
function footOf({ isLoading, isEnd, problem }, items, tab, t, acts) {
  if (problem) {
    const wait = problem.seconds ? ` ${t.againIn(problem.seconds)}` : ''
    const again = h('button', { type: 'button', class: 'plain', onclick: acts.again }, t.again)
    return [
      h(
        'div',
        { class: 'notice', role: 'alert', part: 'error' },
        icon('alert'),
        h('p', {}, prose(t.problems[problem.kind] + wait)),
        again,
      ),
    ]
  }
  if (isLoading && items.length === 0)
    return [
      h('p', { class: 'hidden', role: 'status' }, t.loading),
      ...Array.from({ length: 5 }, () => h('div', { class: 'bone' })),
    ]
  if (isLoading) return [h('p', { class: 'end' }, t.more)]
  if (items.length === 0) {
    const [title, text] = t.empty[tab]
    return [
      h(
        'div',
        { class: 'notice', part: 'empty' },
        icon(tab === 'archived' ? 'archive' : 'bell'),
        h('p', { class: 'headline' }, title),
        h('p', {}, prose(text)),
      ),
    ]
  }
  return isEnd ? [h('p', { class: 'end' }, t.end)] : []
}
