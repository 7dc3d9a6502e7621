import { type DatabaseConnection, type MysqlDialectConfig, MysqlDriver } from 'kysely'
import { Gauge, type Registry } from 'prom-client'

/** A pool of connections to a schema: how many it may have, how many are in use, and how many callers wait for one. */
type Pool = { schema: string; size: number; used: number; waiting: number }

const openPools = new Set<Pool>()

/** Kysely's driver, which counts the connections of its pool. */
export class MeasuredDriver extends MysqlDriver {
  readonly #pool: Pool

  constructor(config: MysqlDialectConfig, { schema, size }: Pick<Pool, 'schema' | 'size'>) {
    super(config)
    this.#pool = { schema, size, used: 0, waiting: 0 }
    openPools.add(this.#pool)
  }

  override async acquireConnection(
    ...options: Parameters<MysqlDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    this.#pool.waiting++
    try {
      const connection = await super.acquireConnection(...options)
      this.#pool.used++
      return connection
    } finally {
      this.#pool.waiting--
    }
  }

  override async releaseConnection(...connection: Parameters<MysqlDriver['releaseConnection']>): Promise<void> {
    this.#pool.used--
    await super.releaseConnection(...connection)
  }

  override async destroy(): Promise<void> {
    openPools.delete(this.#pool)
    await super.destroy()
  }
}

/** Exposes the pools of this process, by schema. */
export function watchPools(registry: Registry): void {
  const gauge = (name: string, help: string, read: (pool: Pool) => number): void => {
    new Gauge({
      name,
      help,
      labelNames: ['schema'],
      registers: [registry],
      collect() {
        this.reset()
        for (const pool of openPools) this.inc({ schema: pool.schema }, read(pool))
      },
    })
  }
  gauge('database_pool_size', 'Connections that this process may open to a schema', ({ size }) => size)
  gauge('database_pool_used', 'Connections of this process in use', ({ used }) => used)
  gauge('database_pool_waiting', 'Statements of this process that wait for a connection', ({ waiting }) => waiting)
}
