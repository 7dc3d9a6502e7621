import { failureLog } from '../process/failure-log.ts'
import type { BusLog } from './link.ts'

/** Runs a subscriber for one message, or a listener of the connection. */
export type Receive = (subject: string, handle: () => void) => void

/**
 * What every subscriber runs in. An error would end the client's read loop, and with it all subscriptions of the
 * process, so a message that can't be read is logged and dropped [D510].
 */
export function receiver(log: BusLog | undefined): Receive {
  const drop = failureLog((fields, message) => log?.error(fields, message))
  return (subject, handle) => {
    try {
      handle()
    } catch (error) {
      drop(subject, { subject, err: error }, 'unreadable message dropped')
    }
  }
}
