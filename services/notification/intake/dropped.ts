import { Counter, type Registry } from 'prom-client'

/** Counts receivers that events name and that are no active members of the workspace: forged ones, or gone meanwhile. */
export function countDropped(registry: Registry): (receivers: number) => void {
  const counter = new Counter({
    name: 'notification_receivers_dropped_total',
    help: 'Receivers named by events that are no active members of the workspace',
    registers: [registry],
  })
  return receivers => {
    if (receivers > 0) counter.inc(receivers)
  }
}
