import { h, iconButton, prose } from './dom.js'
import { createList } from './list.js'
import { createPreferences } from './preferences.js'

const tabs = ['all', 'unread', 'archived']
const undoSeconds = 8

/**
 * The panel below the bell: title, tabs, list and preferences.
 * @param owner store, call, view with texts and language, clicked(item, event, href), close(), announce(text)
 */
export function createPanel({ store, call, view, clicked, close, announce }) {
  const { t } = view
  let undone

  const toast = h('div', { class: 'toast', part: 'toast', hidden: true })
  const focusList = () => {
    if (!list.focus()) chosen().focus()
  }
  const hideToast = () => {
    clearTimeout(undone)
    const hadFocus = toast.contains(toast.getRootNode().activeElement)
    toast.hidden = true
    if (hadFocus) focusList()
  }
  /** Shows what was done, with an undo button. Stays while it has the pointer or the focus. */
  const showMessage = (text, undo) => {
    const act = () => {
      hideToast()
      undo()
    }
    toast.replaceChildren(
      prose(text),
      ...(undo ? [h('button', { type: 'button', class: 'plain', onclick: act }, t.undo)] : []),
    )
    toast.hidden = false
    announce(text)
    clearTimeout(undone)
    const end = () => (toast.matches(':hover, :focus-within') ? (undone = setTimeout(end, 1e3)) : hideToast())
    undone = setTimeout(end, (undo ? undoSeconds : 3) * 1e3)
  }

  const list = createList({
    click: clicked,
    toggle: item => store.read(item, !item.isRead),
    async move(item) {
      const from = store.state.tab
      const settleFocus = list.leave(item.id)
      const moved = store.move(item)
      settleFocus()
      showMessage(from === 'archived' ? t.restoredNow : t.archivedNow, async () => {
        await moved
        await store.moveBack(item, from)
      })
      await moved
    },
    more: store.more,
    again: () => store.refresh(),
  })
  list.element.addEventListener('emptied', () => chosen().focus())

  const preferences = createPreferences(call, outcome =>
    showMessage(outcome === 'saved' ? t.saved : t.problems[outcome]),
  )
  const heading = h('h2', { id: 'title' })
  const buttons = tabs.map(name => {
    const text = { all: t.all, unread: t.unreadTab, archived: t.archived }[name]
    return h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `tab-${name}`,
        part: 'tab',
        'aria-controls': 'content',
        onclick: () => choose(name),
      },
      text,
    )
  })
  const chosen = () => buttons[tabs.indexOf(store.state.tab)]
  const choose = name => {
    list.element.scrollTop = 0
    return store.open(name)
  }
  const bar = h('div', { class: 'tabs', role: 'tablist', 'aria-labelledby': 'title' }, buttons)
  bar.addEventListener('keydown', event => {
    const at = tabs.indexOf(store.state.tab)
    const forward = getComputedStyle(bar).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const to =
      { Home: 0, End: 2 }[event.key] ??
      (/^Arrow(Left|Right)$/.test(event.key) ? (at + (event.key === forward ? 1 : 2)) % 3 : undefined)
    if (event.key === 'ArrowDown') list.focus()
    else if (to === undefined) return
    else {
      choose(tabs[to])
      buttons[to].focus()
    }
    event.preventDefault()
  })

  const readAll = iconButton('readAll', t.readAll, async () => {
    const answer = await store.readAll()
    if (answer) showMessage(t.allRead)
  })
  const settings = iconButton('settings', t.settings, () => turn(true))
  const back = iconButton('back', t.back, () => turn(false))
  const shut = iconButton('close', t.close, close, { class: 'icon-button close' })
  const paused = h('p', { class: 'paused', role: 'status', part: 'paused', hidden: true }, t.paused)
  const content = h('div', { id: 'content', class: 'content', role: 'tabpanel' }, list.element)
  const element = h(
    'div',
    { id: 'panel', class: 'panel', part: 'panel', role: 'dialog', 'aria-labelledby': 'title', tabindex: -1 },
    h(
      'div',
      { class: 'header', part: 'header' },
      back,
      heading,
      h('span', { class: 'tools' }, readAll, settings, shut),
    ),
    bar,
    paused,
    content,
    preferences.element,
    toast,
  )

  let isSettings = false
  const turn = (on, takesFocus = true) => {
    isSettings = on
    for (const part of [readAll, settings, bar, content]) part.hidden = on
    for (const part of [back, preferences.element]) part.hidden = !on
    heading.textContent = on ? t.settings : t.title
    if (on) void preferences.open(view)
    if (takesFocus) (on ? back : settings).focus()
  }
  turn(false, false)

  return {
    element,
    show(state) {
      list.show(state, view)
      for (const [index, button] of buttons.entries()) {
        const isChosen = tabs[index] === state.tab
        button.setAttribute('aria-selected', isChosen)
        button.tabIndex = isChosen ? 0 : -1
        if (isChosen) content.setAttribute('aria-labelledby', button.id)
      }
      readAll.disabled = state.unread === 0
    },
    showPaused: isPaused => {
      paused.hidden = !isPaused
    },
    showMessage,
    isSettings: () => isSettings,
    hurry: preferences.hurry,
    turn,
    focus: focusList,
    select: list.select,
  }
}
