import type { PlatformClient } from '../../../edge/client/client.ts'
import type { CommandRequest } from '../command.ts'

/** What a source of events works with, until `ending` settles. */
export type Listener = {
  ask: CommandRequest
  client: PlatformClient
  workspaceId: string
  /** Whether events of a type are shown. */
  isChosen(type: string): boolean
  show(event: HotelEvent): void
  ending: PromiseWithResolvers<void>
}

/** An event, with the receiver's answer if it was forwarded. */
export type HotelEvent = { type: string; timestamp: string; data: unknown; answer?: string }
