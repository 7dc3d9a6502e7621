import { assert } from '../kit.ts'

type ChangingList = {
  /** The ids of a page, and the cursor of the next one. */
  load: (cursor: string | undefined) => Promise<{ ids: string[]; nextCursor: string | undefined }>
  /** The ids of all rows, in any order. */
  ids: readonly string[]
  insert: () => Promise<unknown>
  remove: (ids: string[]) => Promise<unknown>
}

/**
 * Reads a list by its cursors, while rows are inserted and deleted between its pages: no row comes twice, and none is
 * missed that was there all the time.
 */
export async function readWhileChanging({ load, ids, insert, remove }: ChangingList): Promise<void> {
  const readIds: string[] = []
  const removedIds = new Set<string>()
  let cursor: string | undefined
  do {
    const page = await load(cursor)
    readIds.push(...page.ids)
    // The row that the cursor names, and one that is still to come.
    const toRemove = [page.ids.at(-1) ?? '', ids.find(id => !readIds.includes(id) && !removedIds.has(id)) ?? '']
    for (const id of toRemove) removedIds.add(id)
    await remove(toRemove)
    await insert()
    cursor = page.nextCursor
  } while (cursor !== undefined)
  assert.is(readIds.length, new Set(readIds).size, 'a row came twice')
  const missedIds = ids.filter(id => !removedIds.has(id) && !readIds.includes(id))
  assert.equal(missedIds, [])
}
