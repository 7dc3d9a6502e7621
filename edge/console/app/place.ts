import { useEffect, useState } from 'preact/hooks'
import { createStore } from '../../front/app/platform/store.ts'

/** Page, record and filters from the address: #/events?type=page.created, #/hotels/6b03e9435325fc676743c97b */
export function readPlace() {
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?')
  const [name = '', id] = path.split(/\/(.*)/s)
  return { name, id: id || undefined, query: new URLSearchParams(query) }
}

/** Changes the filters in the address, without a new history entry. */
function writeQuery(query: Record<string, string>): void {
  const presentFilters = Object.entries(query).filter(([, value]) => value)
  const [path] = location.hash.split('?')
  history.replaceState(
    null,
    '',
    `${path || '#/'}${presentFilters.length > 0 ? `?${new URLSearchParams(presentFilters)}` : ''}`,
  )
}

/** The filters of a page, which are in its address too. */
export function useFilters<Name extends string>(
  names: readonly Name[],
): [Record<Name, string>, (change: Partial<Record<Name, string>>) => void] {
  const [filters, setFilters] = useState(() => {
    const { query } = readPlace()
    return Object.fromEntries(names.map(name => [name, query.get(name) ?? ''])) as Record<Name, string>
  })
  useEffect(() => writeQuery(filters), [filters])
  return [filters, change => setFilters(current => ({ ...current, ...change }))]
}

/** What a page of one record is called; undefined for the name of its list. */
export const recordName = createStore<string | undefined>(undefined)

/** Names the page of one record. */
export function useRecordName(name: string): void {
  useEffect(() => {
    recordName.set(name)
    return () => recordName.set(undefined)
  }, [name])
}
