import { get } from '../api.js'
import { jsonText, sheet } from '../dialogs.js'
import { fill, h } from '../dom.js'
import * as format from '../format.js'
import { card, choice, empty, facts, input, pager, problem, skeleton, table, when } from '../widgets.js'

const entities = [
  'member',
  'membership',
  'role',
  'permission',
  'invitation',
  'workspace',
  'team',
  'department',
  'settings',
  'ecosystem',
]

/** Who changed which rights: of one workspace, or outside of workspaces. */
export function audit({ query, go, again }) {
  let filter = { workspace: query.get('workspace') ?? '', entity: query.get('entity') ?? '' }
  let page = 1
  const list = h('div', {}, skeleton())
  const change = (next, toPage = 1) => {
    filter = { ...filter, ...next }
    page = toPage
    go('audit', filter)
    again()
  }
  const tools = h(
    'div',
    { class: 'filters' },
    input('Workspace id', { value: filter.workspace, placeholder: 'none: the platform' }, workspace =>
      change({ workspace }),
    ),
    choice('Record', [['', 'All'], ...entities.map(one => [one, one])], filter.entity, entity => change({ entity })),
  )
  const node = h(
    'div',
    { class: 'stack' },
    card(
      'Audit',
      {
        hint: 'Changes of rights, newest first. Enter a workspace id, or leave it empty for the platform.',
        extra: tools,
      },
      list,
    ),
  )
  async function refresh() {
    const path = filter.workspace ? `/audit/workspace/${encodeURIComponent(filter.workspace)}` : '/audit/platform'
    try {
      const { data, meta } = await get(path, { entity: filter.entity, page, limit: 20 })
      fill(
        list,
        data.length > 0
          ? auditTable(data)
          : empty('No entries', filter.entity ? 'Nothing matches the filter.' : 'No rights have changed yet.'),
        pager('audit entries', meta, to => change({}, to)),
      )
    } catch (error) {
      if (![400, 404].includes(error.status)) throw error
      fill(list, problem(error))
    }
  }
  return { node, refresh }
}

/** Audit entries; a row opens the values before and after. */
export const auditTable = entries => table('Audit entries', columns, entries, { key: one => one.id, onRow: details })

const changed = ({ before, after }) => [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]

const columns = [
  { head: 'Action', cell: one => one.action, wide: true },
  { head: 'By', cell: one => one.actor?.name || one.actor?.id || format.none, wide: true },
  { head: 'Fields', cell: one => changed(one).join(', ') || format.none, wide: true },
  { head: 'Time', cell: one => when(one.createdAt) },
]

const details = entry =>
  sheet(entry.action, () => [
    facts([
      ['Time', format.time(entry.createdAt)],
      ['By', [entry.actor?.name, entry.actor?.type].filter(Boolean).join(', ')],
      ['Credential', entry.actor?.credentialId && h('code', {}, entry.actor.credentialId)],
      ['Record', entry.entity],
      ['Record id', h('code', {}, entry.entityId)],
      ['Member', entry.memberId && h('code', {}, entry.memberId)],
      ['Workspace', entry.workspaceId && h('code', {}, entry.workspaceId)],
    ]),
    h('h3', {}, 'Before'),
    jsonText(entry.before ?? null),
    h('h3', {}, 'After'),
    jsonText(entry.after ?? null),
  ])
