import {
  type BinaryOperationNode,
  MysqlDialect,
  type MysqlDialectConfig,
  MysqlQueryCompiler,
  OperatorNode,
  PrimitiveValueListNode,
  replaceWithNoncontingentExpression,
  ValueListNode,
} from 'kysely'
import { MeasuredDriver } from './pools.ts'

/**
 * MySQL with a measured pool, where an `in` of no values is false and a `not in` of none is true, instead of a syntax
 * error.
 */
export class Dialect extends MysqlDialect {
  readonly #config: MysqlDialectConfig
  readonly #pool: { schema: string; size: number }

  constructor(config: MysqlDialectConfig, pool: { schema: string; size: number }) {
    super(config)
    this.#config = config
    this.#pool = pool
  }

  override createDriver(): MeasuredDriver {
    return new MeasuredDriver(this.#config, this.#pool)
  }

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
