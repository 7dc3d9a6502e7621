import type { Bus } from '../kernel/bus/bus.ts'
import type { MemberAudience } from './audience.ts'
import type { Clock } from './clock.ts'
import type { NotificationDb } from './tables.ts'

/** Shared by every part of this service. */
export type Context = {
  db: NotificationDb
  bus: Bus
  audience: MemberAudience
  clock: Pick<Clock, 'now'>
}
