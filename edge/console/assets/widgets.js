import { mark } from './connection.js'
import { fill, h, icon } from './dom.js'
import * as format from './format.js'

/** A section with a heading; `extra` stands at its right. */
export const card = (title, { extra, hint, wide } = {}, ...children) =>
  h(
    'section',
    { class: `card${wide ? ' wide' : ''}` },
    h(
      'header',
      { class: 'card-head' },
      h('div', {}, h('h2', {}, title), hint && h('p', { class: 'hint' }, hint)),
      extra,
    ),
    children,
  )

/** good, warn, bad, info or quiet. */
export const badge = (text, tone = 'quiet') => h('span', { class: `badge ${tone}` }, text)

export const dot = (tone, label) => h('span', { class: `dot ${tone}`, role: 'img', 'aria-label': label })

/** A key figure: label, value and note. */
export const figure = ({ label, value, note, tone, href }) =>
  h(
    href ? 'a' : 'div',
    { class: `figure${tone ? ` ${tone}` : ''}`, href, 'data-key': href && `figure-${label}` },
    h('span', { class: 'figure-label' }, label),
    h('span', { class: 'figure-value' }, value),
    h('span', { class: 'figure-note' }, note ?? ''),
  )

export const empty = (title, text) =>
  h('div', { class: 'empty' }, h('p', { class: 'empty-title' }, title), text && h('p', {}, text))

export const skeleton = (rows = 4) =>
  h(
    'div',
    { class: 'skeleton', 'aria-hidden': 'true' },
    Array.from({ length: rows }, () => h('span')),
  )

/** A failure; `more` states what it means for the page. */
export const problem = (error, again, more) =>
  h(
    'div',
    { class: 'problem', role: 'alert' },
    icon('alert'),
    h(
      'div',
      {},
      h('p', {}, error.message),
      more && h('p', {}, more),
      error.requestId && h('p', { class: 'hint' }, `Request ${error.requestId}`),
    ),
    again && button('Try again', { on: { click: again }, kind: 'small' }),
  )

/** Why the page isn't refreshed until a time. */
export const blockNote = until =>
  h(
    'div',
    { class: 'problem wait', role: 'status' },
    icon('pause'),
    h(
      'div',
      {},
      h('p', {}, `Too many requests. Updates resume in ${format.duration(until - Date.now())}.`),
      h('p', {}, `The page stays as it is until ${format.exactTime(until)} ${format.zone}.`),
    ),
  )

export const button = (text, { kind = '', on, ...rest } = {}) =>
  h('button', { type: 'button', class: `button ${kind}`, on, ...rest }, text)

/** A button that changes something on the platform: off while the page is out of date. */
export function changing(text, props) {
  const one = button(text, { ...props, 'data-changes': '' })
  mark(one)
  return one
}

const classOf = ({ number, wide, minor, acts }) =>
  [number && 'number', wide && 'break', minor && 'minor', acts && 'acts'].filter(Boolean).join(' ') || undefined

/**
 * A table that scrolls within itself. On a phone each row becomes a record titled by its first cell. Roles are
 * explicit, because that layout removes the implicit ones.
 * @param columns {head, cell(row), below?(row), number?, wide?, minor?, acts?}; wide ones wrap, minor ones are left out
 * on small screens, acting ones stay visible
 * @param options key(row), onRow(row) or href(row), isDense: stays a table on a phone, too; marks: a checkbox for each
 * row (see selection.js)
 */
export function table(label, columns, rows, { key, onRow, href, isDense = false, marks } = {}) {
  const open = onRow ?? (href && (row => location.assign(href(row))))
  const head = columns.map((one, at) =>
    h('th', { role: 'columnheader', scope: 'col', class: classOf(one) }, at === 0 && marks?.all(rows), one.head),
  )
  const body = rows.map(row =>
    h(
      'tr',
      open ? { role: 'row', class: 'open', on: { click: event => isOpening(event) && open(row) } } : { role: 'row' },
      columns.map((one, at) => {
        const content = one.cell(row)
        const shown = at === 0 && open ? opener(row, content, { key: `row-${key(row)}`, onRow, href }) : content
        const mark = at === 0 && marks?.one(row)
        return h(
          'td',
          { role: 'cell', class: classOf(one), 'data-label': one.head },
          mark ? h('div', { class: 'marked' }, mark, h('div', {}, shown, one.below?.(row))) : [shown, one.below?.(row)],
        )
      }),
    ),
  )
  return h(
    'div',
    { class: 'table-scroll', tabindex: '0', role: 'region', 'aria-label': label, 'data-key': `table-${label}` },
    h(
      'table',
      { role: 'table', class: isDense ? 'dense' : 'records' },
      h('thead', { role: 'rowgroup' }, h('tr', { role: 'row' }, head)),
      h('tbody', { role: 'rowgroup' }, body),
    ),
  )
}

const controls = 'button, a, label, input'

/** Whether a click in a row opens it: not one on a control, or one that ends the selection of a text. */
const isOpening = ({ target }) => !target.closest(controls) && getSelection().isCollapsed

/** The first cell of a row that opens: a link to its page, or a button for its sheet. */
const opener = (row, content, { key, onRow, href }) =>
  onRow
    ? h('button', { type: 'button', class: 'link', 'data-key': key, on: { click: () => onRow(row) } }, content)
    : h('a', { class: 'link', 'data-key': key, href: href(row) }, content)

/** Pagination of a named list; nothing for a single page. */
export const pager = (label, { page, totalPages, total }, go) =>
  totalPages > 1 &&
  h(
    'nav',
    { class: 'pager', 'aria-label': `Pages of ${label}` },
    button('Previous', {
      kind: 'small',
      disabled: page <= 1,
      'data-key': `previous-${label}`,
      on: { click: () => go(page - 1) },
    }),
    h('span', {}, `Page ${format.count(page)} of ${format.count(totalPages)} · ${format.count(total)} total`),
    button('Next', {
      kind: 'small',
      disabled: page >= totalPages,
      'data-key': `next-${label}`,
      on: { click: () => go(page + 1) },
    }),
  )

/** A labelled choice. @param options [value, text] */
export const choice = (label, options, value, change) =>
  h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h(
      'select',
      { on: { change: event => change(event.target.value) } },
      options.map(([one, text]) => h('option', { value: one, selected: one === value }, text)),
    ),
  )

export const input = (label, { type = 'search', ...props }, change) =>
  h(
    'label',
    { class: 'field' },
    h('span', {}, label),
    h('input', {
      type,
      autocomplete: 'off',
      spellcheck: 'false',
      ...props,
      on: { change: event => change(event.target.value.trim()) },
    }),
  )

/** A choice as a row of buttons. */
export function segments(label, options, value, change) {
  const group = h('div', { class: 'segments', role: 'group', 'aria-label': label })
  const draw = chosen =>
    fill(
      group,
      options.map(([one, text]) =>
        h(
          'button',
          {
            type: 'button',
            'aria-pressed': String(one === chosen),
            'data-key': `segment-${one}`,
            on: {
              click: () => {
                draw(one)
                change(one)
              },
            },
          },
          text,
        ),
      ),
    )
  draw(value)
  return group
}

export const facts = pairs =>
  h(
    'dl',
    { class: 'facts' },
    pairs
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  )

/** Shows a time as relative, with the exact one in its title. */
export const when = value =>
  value
    ? h('time', { datetime: new Date(value).toISOString(), title: format.time(value) }, format.ago(value))
    : format.none
