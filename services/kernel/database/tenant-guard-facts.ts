import {
  AndNode,
  BinaryOperationNode,
  ColumnNode,
  type OperationNode,
  OperatorNode,
  OrNode,
  ParensNode,
  ReferenceNode,
} from 'kysely'
import { type GuardedStatement, nodesIn, type RowSource, statementOf } from './tenant-guard-sources.ts'

/** A column that the statement binds to a value or to another column, for every row it touches. */
export interface Fact {
  alias: string | undefined
  column: string
  to: 'value' | { alias: string | undefined }
}

const equalOperators = new Set(['=', '<=>', 'in'])

/** Everything that `where` and the join conditions guarantee. */
export function factsOf(statement: GuardedStatement, sources: readonly RowSource[]): Fact[] {
  return [...(statement.where ? conjuncts(statement.where.where) : []), ...sources.flatMap(factsOfJoin)]
}

/** An outer join's condition says nothing about the rows of its preserved side. */
function factsOfJoin({ join, alias: joined }: RowSource): Fact[] {
  if (!join?.on) return []
  const facts = conjuncts(join.on.on)
  if (join.joinType === 'InnerJoin' || join.joinType === 'LateralInnerJoin') return facts
  if (join.joinType === 'LeftJoin' || join.joinType === 'LateralLeftJoin') return facts.filter(f => f.alias === joined)
  if (join.joinType === 'RightJoin') return facts.filter(fact => fact.alias !== undefined && fact.alias !== joined)
  return []
}

function conjuncts(node: OperationNode): Fact[] {
  if (ParensNode.is(node)) return conjuncts(node.node)
  if (AndNode.is(node)) return [...conjuncts(node.left), ...conjuncts(node.right)]
  // Either side may hold, so only what both bind to values is certain.
  if (OrNode.is(node)) {
    const right = conjuncts(node.right)
    const inRight = (fact: Fact) =>
      right.some(r => r.to === 'value' && r.alias === fact.alias && r.column === fact.column)
    return conjuncts(node.left).filter(fact => fact.to === 'value' && inRight(fact))
  }
  return BinaryOperationNode.is(node) ? equalities(node) : []
}

function equalities({ leftOperand, operator, rightOperand }: BinaryOperationNode): Fact[] {
  if (!OperatorNode.is(operator) || !equalOperators.has(operator.operator)) return []
  const facts: Fact[] = []
  const leftColumn = columnOf(leftOperand)
  const rightColumn = columnOf(rightOperand)
  if (leftColumn) facts.push({ ...leftColumn, to: rightColumn ? { alias: rightColumn.alias } : 'value' })
  if (rightColumn && operator.operator !== 'in')
    facts.push({ ...rightColumn, to: leftColumn ? { alias: leftColumn.alias } : 'value' })
  return facts
}

function columnOf(node: OperationNode): { alias: string | undefined; column: string } | undefined {
  if (ColumnNode.is(node)) return { alias: undefined, column: node.column.name }
  if (!ReferenceNode.is(node) || !ColumnNode.is(node.column)) return undefined
  return { alias: node.table?.table.identifier.name, column: node.column.column.name }
}

/** Whether `where` or a join condition mentions a column of the source. */
export function mentions(statement: GuardedStatement, source: RowSource, column: string): boolean {
  const conditions = [statement.where, ...(statement.joins ?? []).map(join => join.on)]
  const isMentioned = (node: OperationNode): boolean => {
    const mentionedColumn = columnOf(node)
    if (mentionedColumn)
      return (
        mentionedColumn.column === column &&
        (mentionedColumn.alias === undefined || mentionedColumn.alias === source.alias)
      )
    return statementOf(node) === undefined && nodesIn(node).some(isMentioned)
  }
  return conditions.some(condition => condition !== undefined && isMentioned(condition))
}
