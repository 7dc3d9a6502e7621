import { LRUCache } from 'lru-cache'
import { Counter, type Registry } from 'prom-client'
import { addressKey } from '../base/client-address.ts'
import type { Log } from '../process/log.ts'
import type { OnRefused } from './authenticate.ts'

/** One log line per address within this time, in ms, and how many addresses are remembered. */
const quietMs = 60_000
const mostAddresses = 10_000

/**
 * Counts each credential refused before a body is read, and logs the first of an address per minute: guessing shows,
 * but can't fill the disk.
 */
export function watchRefusedCredentials(log: Log, registry: Registry): OnRefused {
  const refusalCount = new Counter({
    name: 'credentials_refused_total',
    help: 'Refused credentials, by kind',
    labelNames: ['kind'],
    registers: [registry],
  })
  const logged = new LRUCache<string, true>({ max: mostAddresses, ttl: quietMs })
  return (kind, header) => {
    refusalCount.inc({ kind })
    const client = header('x-client-ip')
    const subject = addressKey(client)
    if (logged.has(subject)) return
    logged.set(subject, true)
    const requestId = header('x-request-id')
    log.info({ security: 'Credential', kind, outcome: 'UnauthorizedError', client, requestId }, 'credential refused')
  }
}
