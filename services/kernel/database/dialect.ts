import {
  type BinaryOperationNode,
  MysqlDialect,
  MysqlQueryCompiler,
  OperatorNode,
  PrimitiveValueListNode,
  replaceWithNoncontingentExpression,
  ValueListNode,
} from 'kysely'

/** MySQL, where an `in` of no values is false and a `not in` of none is true, instead of a syntax error. */
export class Dialect extends MysqlDialect {
  override createQueryCompiler(): MysqlQueryCompiler {
    return new Compiler()
  }
}

/** Kysely's plugin for this copies the whole tree of every statement before it compiles it. */
class Compiler extends MysqlQueryCompiler {
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    if (isOfNoValues(node)) this.visitNode(replaceWithNoncontingentExpression(node))
    else super.visitBinaryOperation(node)
  }
}

type OfNoValues = Parameters<typeof replaceWithNoncontingentExpression>[0]

function isOfNoValues(node: BinaryOperationNode): node is BinaryOperationNode & OfNoValues {
  const { operator, rightOperand: right } = node
  if (!PrimitiveValueListNode.is(right) && !ValueListNode.is(right)) return false
  return right.values.length === 0 && OperatorNode.is(operator) && /^(not )?in$/.test(operator.operator)
}
