import { h } from './dom.js'

/**
 * Checkboxes over kinds and channels. One that covers several is mixed while these differ; it turns all of them on, or
 * off when all are on.
 * @param stored switches by kind; missing ones are on
 * @param change called with the switches that a box has changed
 * @param isOffered whether a kind has a channel
 */
export function createSwitches(stored, change, isOffered) {
  const shown = new Map()
  const all = []
  const isOn = (kind, channel) => shown.get(`${kind} ${channel}`) ?? stored[kind]?.[channel] ?? true
  const show = () => {
    for (const { element, pairs } of all) {
      const on = pairs.filter(([kind, channel]) => isOn(kind, channel)).length
      element.checked = on === pairs.length
      element.indeterminate = on > 0 && on < pairs.length
    }
  }
  return {
    box(kinds, channels, label) {
      const pairs = kinds.flatMap(kind =>
        channels.filter(channel => isOffered(kind, channel)).map(channel => [kind, channel]),
      )
      const act = () => {
        // Browsers disagree about what a click on a mixed box leaves.
        const on = !pairs.every(([kind, channel]) => isOn(kind, channel))
        for (const [kind, channel] of pairs) shown.set(`${kind} ${channel}`, on)
        show()
        const byKind = Map.groupBy(pairs, ([kind]) => kind)
        change(
          Object.fromEntries(
            [...byKind].map(([kind, own]) => [kind, Object.fromEntries(own.map(([, one]) => [one, on]))]),
          ),
        )
      }
      const element = h('input', { type: 'checkbox', 'aria-label': label, onchange: act })
      all.push({ element, pairs })
      show()
      return element
    },
  }
}
