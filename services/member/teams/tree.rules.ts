/** What the rules below need to know of a department. */
export type Placed = { id: string; parent_id: string | null }

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
