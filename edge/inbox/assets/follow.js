import { connect } from '../../live/client/client.js'

const pollMs = 60_000
/** How long the socket may be away before the user is notified, in ms. */
const quietMs = 2_000
/** Close code for a person who is no active member; the socket client doesn't reconnect after it. */
const noMember = 4403

/**
 * Follows the socket, the clock, and changes elsewhere on the page.
 * @param redraw called with 'place' when the panel may have to move, with 'times' each minute.
 * @returns a function that stops it
 */
export function follow({ inbox, base, tokens, parts, emit }, redraw) {
  const { store, announce } = parts
  let isDue = false
  const ended = new AbortController()
  const on = (target, type, act) => target.addEventListener(type, act, { signal: ended.signal })
  let isLive = false
  let pausing
  /** The socket's token: one that a call has already replaced is used again. */
  let used
  const timers = new Set()
  const later = (ms, act) => {
    const timer = setTimeout(() => timers.delete(timer) && act(), ms)
    timers.add(timer)
  }
  // A frame may reach thousands of members at once, so each reloads after a random delay.
  const renew = () => {
    if (isDue || !inbox.open) return
    isDue = true
    later(500 + Math.random() * 1_500, () => {
      isDue = false
      if (inbox.open) store.refresh()
    })
  }
  const catchUp = () => (inbox.open ? store.refresh() : store.poll())
  const showPaused = isPaused => {
    parts.isPaused = isPaused
    parts.panel.showPaused(isPaused)
  }
  let live
  /** Whether the platform has refused the person as no member. */
  let isShut = false
  /** @param isAgain whether this replaces an earlier socket, since which something may have been missed */
  const open = isAgain => {
    isShut = false
    live = connect({
      url: `${base.replace(/^http/, 'ws')}/ws`,
      token: async mustRenew => (used = await tokens(mustRenew, used)),
      invisible: true,
      gap: catchUp,
      state: (state, code) => {
        isLive = state === 'open'
        isShut = code === noMember && state === 'closed'
        if (state === 'waiting' || state === 'closed') pausing ??= setTimeout(showPaused, quietMs, true)
        if (!isLive) return
        clearTimeout(pausing)
        pausing = undefined
        showPaused(false)
        if (isAgain) void catchUp()
      },
    })
    live.on('notification:new', (item, { recovered }) => {
      store.arrived(item)
      renew()
      if (!recovered) announce(parts.t.arrived(item.title))
      emit('notification-new', { ...item, recovered: recovered === true })
    })
    live.on('notification:count', ({ unread }) => {
      if (unread === undefined) return
      if (unread !== store.state.unread) renew()
      store.counted(unread)
    })
    live.on('notification:read', frame => store.readElsewhere(frame))
  }
  open(false)
  on(document, 'pointerdown', event => event.composedPath().includes(inbox) || inbox.hide())
  on(window, 'resize', () => redraw('place'))
  on(document, 'scroll', () => redraw('place'))
  on(window, 'online', catchUp)
  on(window, 'pagehide', () => parts.panel.hurry())
  on(document, 'visibilitychange', () => document.visibilityState === 'visible' && !isLive && catchUp())
  on(inbox.shadowRoot, 'keydown', event => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    if (parts.panel.isSettings()) parts.panel.turn(false)
    else inbox.hide()
    event.stopPropagation()
  })
  const poll = async () => {
    const isHeard = await store.poll()
    // A successful read shows that the member is admitted again.
    if (isHeard && isShut && !ended.signal.aborted) open(true)
  }
  const clock = setInterval(() => {
    if (!isLive && document.visibilityState === 'visible') void poll()
    redraw('times')
  }, pollMs)
  return () => {
    ended.abort()
    live.close()
    store.end()
    clearInterval(clock)
    clearTimeout(pausing)
    timers.forEach(clearTimeout)
  }
}
