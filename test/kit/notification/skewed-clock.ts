import { createRequire } from 'node:module'
import type mysql from 'mysql2'

/*
 * Preloaded by processes with a wrong clock. CLOCK_SKEW_MS: how far the process's clock is ahead. DATABASE_TIME: a
 * fixed time of the database's clock.
 */
const fixedTime = process.env['DATABASE_TIME']
if (fixedTime) {
  // The module object itself, whose exports importers receive.
  const driver = createRequire(import.meta.url)('mysql2') as {
    -readonly [Name in keyof typeof mysql]: (typeof mysql)[Name]
  }
  const { createPool } = driver
  driver.createPool = (options: mysql.PoolOptions | string) => {
    const pool = createPool(options as mysql.PoolOptions)
    pool.on('connection', connection => connection.query(`set timestamp = ${Date.parse(fixedTime) / 1_000}`))
    return pool
  }
}

const skew = Number(process.env['CLOCK_SKEW_MS'] ?? 0)
const SystemDate = Date

globalThis.Date = new Proxy(SystemDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length > 0 ? args : [SystemDate.now() + skew], newTarget) as object,
  get: (target, name) => (name === 'now' ? () => SystemDate.now() + skew : Reflect.get(target, name)),
})
