import { h, prose, settle } from './dom.js'
import { createLine } from './line.js'
import { createSwitches } from './switches.js'
import { clock, untilMorning } from './time.js'
import kinds from './topics.json' with { type: 'json' }

const path = '/api/v1/preferences'
const channels = ['app', 'socket', 'push', 'email']
/** Kinds with e-mails; for others a switch would do nothing. */
const mailedKinds = ['page.reminded', 'page.due', 'message.direct']
const known = Object.values(kinds).flat()
const isOffered = (kind, channel) => channel !== 'email' || mailedKinds.includes(kind) || !known.includes(kind)

/** The days of a week from Monday, 1, and the hours of a day. 1 January 2024 was a Monday. */
const weekdays = language =>
  Array.from({ length: 7 }, (_, n) => [
    n + 1,
    new Date(2024, 0, n + 1).toLocaleDateString(language, { weekday: 'long' }),
  ])
const hours = language =>
  Array.from({ length: 24 }, (_, n) => [
    n,
    new Date(2024, 0, 1, n).toLocaleTimeString(language, { timeStyle: 'short' }),
  ])

const zones = () => (Intl.supportedValuesOf ? Intl.supportedValuesOf('timeZone') : [])

const option = (value, text, isSelected) => h('option', { value, selected: isSelected }, text)

/** A switch with its name and an optional hint. */
function toggle(label, hint, isOn, act) {
  const box = h('input', {
    type: 'checkbox',
    role: 'switch',
    class: 'switch',
    part: 'switch',
    onchange: () => act(box.checked),
  })
  box.checked = isOn
  return h(
    'label',
    { class: 'setting' },
    h(
      'span',
      { class: 'words' },
      h('span', { class: 'name' }, label),
      hint && h('span', { class: 'hint' }, prose(hint)),
    ),
    box,
  )
}

/**
 * The preferences form. Changes are saved at once, one after another; a refused one is shown as stored.
 * @param call of the documented routes.
 * @param onOutcome 'saved' or the kind of a problem
 */
export function createPreferences(call, onOutcome) {
  const element = h('div', { class: 'preferences', part: 'preferences' })
  /** As stored by the platform. */
  let preferences
  let view
  let waiting = 0
  let fault
  const { inTurn, send, hurry } = createLine(call)

  const read = async () => {
    preferences = await call('GET', path)
  }
  const save = async (method, to, body = () => undefined) => {
    waiting++
    try {
      preferences = await send(method, to, body)
    } catch (error) {
      fault = error.kind ?? 'failed'
    }
    // An earlier answer would undo later changes on the screen.
    if (--waiting > 0) return
    if (fault) await inTurn(read).catch(() => undefined)
    if (waiting > 0) return
    onOutcome(fault ?? 'saved')
    fault = undefined
    show()
  }
  const patch = body => save('PATCH', path, body)
  const disturb = value => {
    if (value === '0') return save('DELETE', `${path}/do-not-disturb`)
    const duration = value === 'morning' ? untilMorning(view.timeZone) : Number(value)
    return save('POST', `${path}/do-not-disturb`, () => ({ duration }))
  }

  const pauseOf = ({ t }) => {
    const isOn = preferences.doNotDisturb && new Date(preferences.dndUntil) > new Date()
    const select = h('select', { onchange: () => disturb(select.value), 'data-key': 'dnd' }, option('0', t.off, !isOn))
    if (isOn) select.append(option('on', t.disturbUntil(clock(new Date(preferences.dndUntil), view)), true))
    select.append(
      ...Object.entries(t.durations).map(([seconds, text]) => option(seconds, text)),
      option('morning', t.morning),
    )
    const silence = toggle(t.silence, t.silenceHint, preferences.isGlobalSilent, on =>
      save(on ? 'POST' : 'DELETE', `${path}/global-silence`, () => (on ? { enabled: true } : undefined)),
    )
    return group(t.pause, silence, h('label', { class: 'setting' }, h('span', { class: 'name' }, t.disturb), select))
  }

  const quietOf = ({ t, timeZone: ownZone }) => {
    const { enabled = false, start = '22:00', end = '07:00', timezone = ownZone } = preferences.quietHours ?? {}
    const now = { enabled, start, end, timezone }
    // The platform changes the named fields and keeps the rest; the first change names all.
    const change = part => patch(() => ({ quietHours: preferences.quietHours ? part : { ...now, ...part } }))
    const time = (name, label) => {
      // An empty field is being typed in.
      const input = h('input', {
        type: 'time',
        value: now[name],
        onchange: () => input.value && change({ [name]: input.value }),
      })
      return h('label', { class: 'field' }, label, input)
    }
    const names = [...new Set([timezone, ownZone, ...zones()])]
    const zone = h(
      'select',
      { onchange: () => change({ timezone: zone.value }) },
      names.map(name => option(name, name.replaceAll('_', ' '), name === timezone)),
    )
    const fields = h(
      'div',
      { class: 'fields' },
      time('start', t.from),
      time('end', t.to),
      h('label', { class: 'field wide' }, t.zone, zone),
    )
    const hint = ['daily', 'weekly'].includes(preferences.emailDigest) ? t.quietDigestHint : t.quietHint
    const main = toggle(t.quiet, hint, enabled, on => change({ enabled: on }))
    return h('section', { class: 'group', 'aria-label': t.quiet }, main, enabled && fields)
  }

  const digestOf = ({ t, language }) => {
    const { emailDigest, digestHour, digestWeekday } = preferences
    const choice = (field, label, value, choices) => {
      const select = h(
        'select',
        {
          'data-key': field,
          onchange: () => patch(() => ({ [field]: field === 'emailDigest' ? select.value : Number(select.value) })),
        },
        choices.map(([key, text]) => option(key, text, String(key) === String(value))),
      )
      return h('label', { class: 'field' }, label, select)
    }
    const isDated = emailDigest === 'daily' || emailDigest === 'weekly'
    const hint = h('p', { class: 'hint' }, prose(isDated ? t.digestCollects : t.digestHint))
    const fields = [
      choice('emailDigest', t.digest, emailDigest, Object.entries(t.digests)),
      emailDigest === 'weekly' && choice('digestWeekday', t.digestDay, digestWeekday, weekdays(language)),
      isDated && choice('digestHour', t.digestHour, digestHour, hours(language)),
    ]
    return group(t.mails, h('div', { class: 'fields' }, fields), hint)
  }

  let isDetailed = false
  /** One sentence and switch per topic; the details have one for each channel of it. */
  const topicsOf = ({ t }) => {
    const other = Object.keys(preferences.categoryPrefs).filter(kind => !known.includes(kind))
    const topics = Object.entries({ ...kinds, other }).filter(([, list]) => list.length > 0)
    const { box } = createSwitches(
      preferences.categoryPrefs,
      categoryPrefs => patch(() => ({ categoryPrefs })),
      isOffered,
    )
    const sentences = topics.map(([name, list]) =>
      h(
        'label',
        { class: 'setting' },
        h('span', { class: 'name' }, prose(t.topics[name])),
        box(list, channels, t.topics[name]),
      ),
    )
    const row = (list, name) =>
      h(
        'tr',
        {},
        h('th', { scope: 'row' }, prose(name)),
        channels.map(one => {
          const hasSwitch = list.some(kind => isOffered(kind, one))
          return h('td', {}, hasSwitch && h('label', {}, box(list, [one], `${name}: ${t.channels[one]}`)))
        }),
      )
    const head = h(
      'tr',
      {},
      h('th', { scope: 'col' }, h('span', { class: 'hidden' }, t.what)),
      channels.map(one => h('th', { scope: 'col' }, t.channels[one])),
    )
    const details = h(
      'details',
      { open: isDetailed, ontoggle: () => (isDetailed = details.open) },
      h('summary', {}, t.channelsTitle),
      h(
        'table',
        {},
        h('thead', {}, head),
        h(
          'tbody',
          { class: 'every' },
          row(
            topics.flatMap(([, list]) => list),
            t.everyKind,
          ),
        ),
        h(
          'tbody',
          {},
          topics.map(([name, list]) => row(list, t.topics[name])),
        ),
      ),
    )
    return group(t.topicsTitle, ...sentences, details)
  }

  /** Shows what is stored. Fields that match it are left alone, since the member may be typing in them. */
  const show = () => {
    if (!preferences) return
    const focused = element.getRootNode().activeElement
    const before = [...element.children]
    const place = before.findIndex(section => section.contains(focused))
    const at = place < 0 ? -1 : controls(before[place]).indexOf(focused)
    const { scrollTop } = element
    const sections = [topicsOf(view), pauseOf(view), quietOf(view), digestOf(view)]
    settle(
      element,
      sections.map((section, n) => (before[n] && shownBy(before[n]) === shownBy(section) ? before[n] : section)),
    )
    element.scrollTop = scrollTop
    if (at >= 0 && !focused.isConnected) controls(element.children[place])[at]?.focus({ preventScroll: true })
  }

  return {
    element,
    hurry,
    async open(next) {
      view = next
      element.replaceChildren(h('p', { class: 'end', role: 'status' }, view.t.loading))
      try {
        await inTurn(read)
        show()
      } catch (error) {
        const again = h('button', { type: 'button', class: 'plain', onclick: () => this.open(view) }, view.t.again)
        element.replaceChildren(
          h(
            'div',
            { class: 'notice', role: 'alert' },
            h('p', {}, prose(view.t.problems[error.kind ?? 'failed'])),
            again,
          ),
        )
      }
    },
  }
}

const group = (title, ...content) => h('section', { class: 'group', 'aria-label': title }, h('h3', {}, title), content)

const controls = section => [...section.querySelectorAll('input, select, button')]

/** The readable text of a section. */
const shownBy = section =>
  [
    section.textContent,
    ...controls(section).map(one => (one.type === 'checkbox' ? [one.checked, one.indeterminate] : one.value)),
  ].join('\n')
