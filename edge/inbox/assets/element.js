import { createCalls, tokenHolder } from './calls.js'
import { h, icon } from './dom.js'
import { follow } from './follow.js'
import css from './inbox.css' with { type: 'text' }
import { createPanel } from './panel.js'
import { createStore } from './store.js'
import { textsOf } from './texts.js'

const margin = 8
const sheet = new CSSStyleSheet()
sheet.replaceSync(css)

/**
 * <platform-inbox>: a bell with the unread count, and below it the inbox of the token's member. Attributes, properties,
 * events and parts: docs/guides/inbox.md.
 */
class PlatformInbox extends HTMLElement {
  static observedAttributes = ['src', 'lang', 'timezone', 'token', 'inline']

  #root = this.attachShadow({ mode: 'open' })
  #source
  #waiting = []
  #parts
  #end
  #isOpen = false

  constructor() {
    super()
    this.#root.adoptedStyleSheets = [sheet]
  }

  /**
   * An access token, or a function that gets one: `async mustRenew => …`, with mustRenew true when the last one was refused or
   * expires soon.
   */
  get token() {
    return this.#source
  }
  set token(source) {
    const isAwaited = this.#waiting.length > 0
    this.#source = source
    for (const provide of this.#waiting.splice(0)) provide(typeof source === 'function' ? source(true) : source)
    // A token that wasn't requested may belong to another member.
    if (!isAwaited) this.#restart()
  }
  /** Unread notifications. */
  get unread() {
    return this.#parts?.store.state.unread ?? 0
  }
  get open() {
    return this.#isOpen
  }

  connectedCallback() {
    // A property set before this script loaded hides the accessor.
    if (Object.hasOwn(this, 'token')) {
      this.#source = this.token
      delete this.token
    }
    if (document.readyState === 'complete') return this.#restart()
    // Later scripts of the page may still set the token. DOMContentLoaded may be over, which the state doesn't show.
    const start = () => this.#parts || this.#restart()
    document.addEventListener('DOMContentLoaded', start, { once: true })
    addEventListener('load', start, { once: true })
  }
  disconnectedCallback() {
    this.#stop()
  }
  attributeChangedCallback(_name, before, now) {
    if (before !== now && this.#parts) this.#restart()
  }

  /** Opens the panel, shows its list and moves the focus there. */
  show() {
    if (!this.#parts || this.#isOpen) return
    this.#open()
    this.#parts.panel.element.focus({ preventScroll: true })
  }
  /** Closes the panel; the focus returns to the bell when it was inside. */
  hide() {
    if (!this.#isOpen || this.hasAttribute('inline')) return
    const { panel, bell } = this.#parts
    const hadFocus = panel.element.contains(this.#root.activeElement)
    this.#isOpen = false
    panel.element.hidePopover?.()
    this.#mark()
    if (hadFocus) bell.focus()
    if (panel.isSettings()) panel.turn(false)
  }

  #open() {
    this.#isOpen = true
    const parts = this.#parts
    if (!this.hasAttribute('inline')) parts.panel.element.showPopover?.()
    this.#place()
    this.#mark()
    const isFocused = () => this.#isOpen && this.#root.activeElement === parts.panel.element
    const selected = this.getAttribute('selected')
    parts.store.open().then(() => (selected && parts.panel.select(selected)) || (isFocused() && parts.panel.focus()))
  }

  #ask = mustRenew => {
    if (typeof this.#source === 'function') return this.#source(mustRenew)
    const given = this.#source ?? this.getAttribute('token')
    if (given && !mustRenew) return given
    return new Promise(resolve => {
      this.#waiting.push(resolve)
      const provide = token => {
        if (typeof token === 'string') this.#source = token
        this.#waiting = this.#waiting.filter(one => one !== resolve)
        resolve(token)
      }
      this.#emit('token-needed', { mustRenew, provide })
    })
  }

  #emit(type, detail) {
    return this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }))
  }

  #stop() {
    this.#end?.()
    this.#end = undefined
    this.#parts = undefined
    this.#isOpen = false
    this.#waiting = []
    this.#root.replaceChildren()
  }

  #restart() {
    this.#stop()
    if (!this.isConnected) return
    const base = new URL(this.getAttribute('src') || '/', import.meta.url).href.replace(/\/$/, '')
    const tokens = tokenHolder(this.#ask)
    const call = createCalls(base, tokens)
    const badge = h('span', { class: 'badge', part: 'badge', hidden: true, 'aria-hidden': 'true' })
    const bell = h(
      'button',
      {
        type: 'button',
        class: 'bell',
        part: 'bell',
        'aria-haspopup': 'dialog',
        'aria-controls': 'panel',
        onclick: () => (this.#isOpen ? this.hide() : this.show()),
      },
      icon('bell'),
      badge,
    )
    const voice = h('p', { class: 'hidden', 'aria-live': 'polite', role: 'status' })
    const store = createStore(
      call,
      // An answer may still come for what was there before a restart.
      state => parts === this.#parts && this.#changed(state),
      ({ problem }) => parts.panel.showMessage(parts.t.problems[problem]),
    )
    const announce = text => {
      voice.textContent = text
    }
    const parts = { store, call, bell, badge, voice, announce, shown: undefined, isPaused: false }
    this.#parts = parts
    this.#dress()
    this.#end = follow({ inbox: this, base, tokens, parts, emit: this.#emit.bind(this) }, act => {
      if (act === 'place') this.#place()
      else this.#changed(store.state)
    })
    this.#changed(store.state)
    if (this.hasAttribute('inline')) this.#open()
    else void store.poll()
    if (this.hasAttribute('preferences')) parts.panel.turn(true, false)
    if (!this.lang) void this.#learn(parts)
  }

  /** Reads the language of the token's member, which their notifications use, too. */
  async #learn(parts) {
    const answer = await parts.call('GET', '/api/v1/preferences').catch(() => undefined)
    if (this.#parts !== parts) return
    parts.spoken = answer?.language
    this.#dress()
  }

  /** The element's language, else the member's, else the page's; the page's region is kept. */
  #language({ spoken }) {
    const around = this.closest('[lang]')?.lang || navigator.language
    const wanted = this.lang || (spoken && !around.startsWith(spoken) ? spoken : around)
    return /^(fr|en)\b/i.test(wanted) ? wanted : 'en'
  }

  /** Inserts the panel, replacing one in another language. */
  #dress() {
    const parts = this.#parts
    const { store, call, bell, voice, announce } = parts
    const language = this.#language(parts)
    if (parts.language === language) return
    // Without the attribute, notifications come in the member's language, and the frame follows it.
    store.state.language = this.lang ? language.slice(0, 2).toLowerCase() : ''
    const t = textsOf(language)
    const timeZone = this.getAttribute('timezone') ?? new Intl.DateTimeFormat().resolvedOptions().timeZone
    const clicked = (item, event, href) => {
      const { id, type, category, title, body, data, actor, createdAt } = item
      void store.click(item)
      const isFollowed = this.#emit('notification-click', { id, type, category, title, body, data, actor, createdAt })
      if (href && !isFollowed) event.preventDefault()
      this.hide()
    }
    const panel = createPanel({
      store,
      call,
      view: { t, language, timeZone },
      clicked,
      close: () => this.hide(),
      announce,
    })
    panel.element.lang = language
    bell.lang = language
    voice.lang = language
    if (this.hasAttribute('inline')) panel.element.role = 'region'
    else panel.element.popover = 'manual'
    const hadFocus = parts.panel?.element.contains(this.#root.activeElement)
    if (parts.panel?.isSettings()) panel.turn(true, false)
    this.#root.replaceChildren(bell, panel.element, voice)
    Object.assign(parts, { panel, t, language })
    panel.showPaused(parts.isPaused)
    this.#mark()
    if (!this.#isOpen) return
    if (!this.hasAttribute('inline')) panel.element.showPopover?.()
    this.#place()
    panel.show(store.state)
    if (hadFocus) panel.element.focus({ preventScroll: true })
  }

  #changed(state) {
    const parts = this.#parts
    if (!parts) return
    if (this.#isOpen) parts.panel.show(state)
    if (parts.shown === state.unread) return
    const isFirst = parts.shown === undefined
    parts.shown = state.unread
    parts.badge.textContent = state.unread > 99 ? '99+' : state.unread || ''
    parts.badge.hidden = state.unread === 0
    this.#mark()
    if (!isFirst) this.#emit('unread-change', { unread: state.unread })
  }

  #mark() {
    const { bell, t, store } = this.#parts
    bell.setAttribute('aria-label', `${t.title}, ${t.unread(store.state.unread)}`)
    bell.setAttribute('aria-expanded', this.#isOpen)
    this.toggleAttribute('open', this.#isOpen)
  }

  /**
   * Below the bell, or above where there is more room, and within the window; in a narrow window it fills the screen
   * (inbox.css).
   */
  #place() {
    if (!this.#isOpen || this.hasAttribute('inline')) return
    const { bell, panel } = this.#parts
    const { style, offsetWidth: width } = panel.element
    const { left, right, top, bottom } = bell.getBoundingClientRect()
    const isLow = top > innerHeight - bottom && innerHeight - bottom < 400
    const wanted = left + right > innerWidth ? right - width : left
    style.left = `${Math.max(margin, Math.min(innerWidth - width - margin, wanted))}px`
    style.top = isLow ? 'auto' : `${bottom + margin}px`
    style.bottom = isLow ? `${innerHeight - top + margin}px` : 'auto'
    style.setProperty('--_room', `${(isLow ? top : innerHeight - bottom) - 2 * margin}px`)
  }
}

if (!customElements.get('platform-inbox')) customElements.define('platform-inbox', PlatformInbox)
