import type { Bus } from '../kernel/bus/bus.ts'
import type { Audience } from './audience.ts'
import type { Clock } from './clock.ts'
import type { Db } from './tables.ts'

/** Shared by every part of this service. */
export type Context = {
  db: Db
  bus: Bus
  audience: Audience
  clock: Pick<Clock, 'now'>
}
