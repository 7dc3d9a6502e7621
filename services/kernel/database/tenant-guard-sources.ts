import {
  AliasNode,
  CommonTableExpressionNode,
  DeleteQueryNode,
  IdentifierNode,
  type JoinNode,
  ListNode,
  type OperationNode,
  SelectQueryNode,
  TableNode,
  UpdateQueryNode,
  WithNode,
} from 'kysely'

/** A source of rows: a table (under its name or an alias), or a derived one, which has no table name. */
export interface RowSource {
  table: string | undefined
  alias: string
  join?: JoinNode
}

export type GuardedStatement = SelectQueryNode | UpdateQueryNode | DeleteQueryNode

/** The node as a statement the guard checks, or undefined. */
export function statementOf(node: OperationNode): GuardedStatement | undefined {
  if (SelectQueryNode.is(node) || UpdateQueryNode.is(node) || DeleteQueryNode.is(node)) return node
  return undefined
}

/** The tables of the statement's own from, using, update and join lists, without those of its subqueries. */
export function sourcesOf(statement: GuardedStatement): RowSource[] {
  const roots: OperationNode[] = [...(statement.from?.froms ?? [])]
  if (UpdateQueryNode.is(statement) && statement.table) roots.push(statement.table)
  if (DeleteQueryNode.is(statement)) roots.push(...(statement.using?.tables ?? []))
  const sources = roots.flatMap(root => (ListNode.is(root) ? root.items : [root])).map(root => sourceOf(root))
  // `delete from t using t join u` names its table twice.
  const sourceByAlias = new Map(sources.map(source => [source.alias, source]))
  const joinedSources = (statement.joins ?? []).map(join => ({ ...sourceOf(join.table), join }))
  return [...sourceByAlias.values(), ...joinedSources]
}

function sourceOf(node: OperationNode): RowSource {
  if (TableNode.is(node)) {
    const name = node.table.identifier.name
    return { table: name, alias: name }
  }
  if (AliasNode.is(node)) {
    const alias = IdentifierNode.is(node.alias) ? node.alias.name : ''
    return { table: TableNode.is(node.node) ? node.node.table.identifier.name : undefined, alias }
  }
  return { table: undefined, alias: '' }
}

/** CTE names visible to a node and its children. An expression sees those before it, and itself when recursive. */
export function namedTables(node: OperationNode, outerTables: ReadonlySet<string>): ReadonlySet<string> {
  const clause = 'with' in node ? node.with : undefined
  if (!isNode(clause) || !WithNode.is(clause)) return outerTables
  return new Set([...outerTables, ...clause.expressions.filter(seenByAll(clause)).map(nameOf)])
}

/** A CTE that reads the table whose name it takes must not hide it from the guard. */
function seenByAll(clause: WithNode): (expression: CommonTableExpressionNode) => boolean {
  return expression => clause.recursive === true || !reads(expression.expression, nameOf(expression))
}

function reads(node: OperationNode, table: string): boolean {
  const statement = statementOf(node)
  if (statement && sourcesOf(statement).some(source => source.table === table)) return true
  return nodesIn(node).some(child => reads(child, table))
}

function nameOf(expression: CommonTableExpressionNode): string {
  return expression.name.table.table.identifier.name
}

/** The nodes directly inside a node, whatever its kind. */
export function nodesIn(node: OperationNode): OperationNode[] {
  return Object.values(node).flat().filter(isNode)
}

function isNode(value: unknown): value is OperationNode {
  return typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string'
}
