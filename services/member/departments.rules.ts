/** What the rules below need to know of a department. */
export type Placed = { id: string; name: string; code: string | null; parent_id: string | null }

/** Whether `parentId` is the department itself or stands below it. */
export function wouldCycle(all: Placed[], id: string, parentId: string | null): boolean {
  const parents = new Map(all.map(one => [one.id, one.parent_id]))
  const seen = new Set<string>()
  for (let at = parentId; at && !seen.has(at); at = parents.get(at) ?? null) {
    if (at === id) return true
    seen.add(at)
  }
  return false
}

const same = (a: string, b: string): boolean => a.localeCompare(b, 'en', { sensitivity: 'base' }) === 0

/** Which field another department has already: the name below the same parent, or the code in the workspace. */
export function takenField(all: Placed[], wanted: Placed): 'name' | 'code' | undefined {
  const others = all.filter(one => one.id !== wanted.id)
  if (others.some(one => one.parent_id === wanted.parent_id && same(one.name, wanted.name))) return 'name'
  const { code } = wanted
  return code !== null && others.some(one => one.code !== null && same(one.code, code)) ? 'code' : undefined
}

/** Departments as trees, in the order of the rows. One whose parent is not among them stands at the root. */
export function treesOf<Row extends Placed, Node extends { subDepartments: Node[] }>(
  rows: Row[],
  toNode: (row: Row) => Node,
): Node[] {
  const nodes = new Map(rows.map(row => [row.id, toNode(row)]))
  const roots: Node[] = []
  for (const row of rows) {
    const node = nodes.get(row.id)
    if (node) (nodes.get(row.parent_id ?? '')?.subDepartments ?? roots).push(node)
  }
  return roots
}
