import { createRequire } from 'node:module'
import type mysql from 'mysql2'

/*
 * Preloaded by processes with a wrong clock. CLOCK_SKEW_MS: how far the process's clock is ahead. DATABASE_TIME: a
 * fixed time of the database's clock.
 */
const stopped = process.env['DATABASE_TIME']
if (stopped) {
  // The module object itself, whose exports importers receive.
  const driver = createRequire(import.meta.url)('mysql2') as {
    -readonly [Name in keyof typeof mysql]: (typeof mysql)[Name]
  }
  const { createPool } = driver
  driver.createPool = (options: mysql.PoolOptions | string) => {
    const pool = createPool(options as mysql.PoolOptions)
    pool.on('connection', connection => connection.query(`set timestamp = ${Date.parse(stopped) / 1_000}`))
    return pool
  }
}

const skew = Number(process.env['CLOCK_SKEW_MS'] ?? 0)
const Right = Date

globalThis.Date = new Proxy(Right, {
  construct: (of, given, target) =>
    Reflect.construct(of, given.length > 0 ? given : [Right.now() + skew], target) as object,
  get: (of, name) => (name === 'now' ? () => Right.now() + skew : Reflect.get(of, name)),
})
