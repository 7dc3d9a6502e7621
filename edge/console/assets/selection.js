import { h } from './dom.js'

/**
 * The selected rows of a list, by id. They stay selected while the list is refreshed, and are forgotten when they leave
 * it.
 * @param change called after each change by the user
 */
export function selection(nameOf, change) {
  let chosen = new Set()
  const box = (label, key, isOn, set) =>
    h('input', {
      type: 'checkbox',
      'aria-label': label,
      'data-key': key,
      checked: isOn,
      on: { change: event => (set(event.target.checked), change()) },
    })
  return {
    ids: () => [...chosen],
    clear: () => {
      chosen = new Set()
    },
    /** Forgets rows that are no longer listed. */
    keep(rows) {
      chosen = new Set(rows.map(({ id }) => id).filter(id => chosen.has(id)))
    },
    /** The checkboxes of a table: of one row, and of all. */
    marks: {
      one: row =>
        box(`Select ${nameOf(row)}`, `mark-${row.id}`, chosen.has(row.id), isOn =>
          isOn ? chosen.add(row.id) : chosen.delete(row.id),
        ),
      all: rows =>
        box('Select all', 'mark-all', rows.length > 0 && rows.every(({ id }) => chosen.has(id)), isOn => {
          chosen = new Set(isOn ? rows.map(({ id }) => id) : [])
        }),
    },
  }
}
