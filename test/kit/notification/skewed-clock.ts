import { createRequire } from 'node:module'
import type mysql from 'mysql2'

/*
 * Preloaded by processes that are to live at another time. CLOCK_SKEW_MS: how much the process's own clock is ahead.
 * DATABASE_TIME: where the clock of the database stands for them.
 */
const stopped = process.env['DATABASE_TIME']
if (stopped) {
  // The module itself, whose exports others take when they load it.
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
