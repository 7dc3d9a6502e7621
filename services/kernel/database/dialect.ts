import {
  type BinaryOperationNode,
  MysqlDialect,
  MysqlQueryCompiler,
  OperatorNode,
  PrimitiveValueListNode,
  replaceWithNoncontingentExpression,
  ValueListNode,
} from 'kysely'

/** MySQL, in which an `in` of no values is false and a `not in` of none is true, rather than an error of syntax. */
export class Dialect extends MysqlDialect {
  override createQueryCompiler(): MysqlQueryCompiler {
    return new Compiler()
  }
}

/** Kysely's plugin for it copies every statement's whole tree before it is compiled. */
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
