import {
  create,
  type DescFile,
  type DescMessage,
  getOption,
  hasOption,
  type MessageInitShape,
} from '@bufbuild/protobuf'
import { Sender } from 'ws'
import { file_platform_live_v1_client as clientFile } from '../../gen/platform/live/v1/client_pb.ts'
import { file_platform_live_v1_connection as connectionFile } from '../../gen/platform/live/v1/connection_pb.ts'
import { file_platform_live_v1_presence as presenceFile } from '../../gen/platform/live/v1/presence_pb.ts'
import { file_platform_live_v1_server as serverFile } from '../../gen/platform/live/v1/server_pb.ts'
import { file_platform_live_v1_settings as settingsFile } from '../../gen/platform/live/v1/settings_pb.ts'
import { Direction, type Frame, frame as frameOption } from '../../gen/platform/options/v1/options_pb.ts'
import { memoizeByObject } from '../../services/kernel/base/memo.ts'
import { type JsonObject, toJson } from '../../services/kernel/json/encode.ts'

declare module 'ws' {
  // Exported by ws, missing from its types.
  export const Sender: {
    frame(
      data: Buffer,
      options: { fin: boolean; rsv1: boolean; opcode: number; mask: boolean; readOnly: boolean },
    ): Buffer[]
  }
}

/** Id of a client's frame, repeated in the answer. */
export type FrameId = string | number

/** A server frame addressed to rooms. */
export type RoomMessage = {
  rooms: string[]
  event: string
  data: JsonObject
  /** A second frame with the same id, event and room is dropped; empty where there can't be one. */
  id: string
  /** When its data was read, in microseconds; 0 when the order doesn't matter. */
  version: number
}

const textFrame = { fin: true, rsv1: false, opcode: 1, mask: false, readOnly: true }

/** The bytes of one frame on the wire, the same for every receiving socket. */
export function frameBytes(event: string, data: JsonObject, id?: FrameId): Buffer {
  return textBytes(JSON.stringify(id === undefined ? { event, data } : { event, data, id }))
}

/** The bytes of a frame already in JSON. */
export const textBytes = (text: string): Buffer => Buffer.concat(Sender.frame(Buffer.from(text), textFrame))

/** Like `textBytes`, for a missed frame, marked as recovered. */
export const recoveredBytes = (text: string): Buffer => textBytes(`${text.slice(0, -1)},"recovered":true}`)

/** The frame option of a message in live/v1: event, services and room. */
export const frameOf = memoizeByObject((desc: DescMessage): Frame => {
  // Decoded from bytes at each call.
  const frame = getOption(desc, frameOption)
  if (!frame.event) throw new Error(`${desc.typeName} is not a frame`)
  return frame
})

/** The rooms of a server frame, as its option writes them, with these values for the variables. */
export function roomsOf(desc: DescMessage, values: Readonly<Record<string, unknown>>): string[] {
  const { room, copiedTo } = frameOf(desc)
  return [room, ...copiedTo].map(pattern => pattern.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name])))
}

/** The bytes of a frame of live/v1. */
export const messageBytes = <Desc extends DescMessage>(
  desc: Desc,
  data: MessageInitShape<Desc>,
  id?: FrameId,
): Buffer => frameBytes(frameOf(desc).event, toJson(desc, create(desc, data)), id)

const files: DescFile[] = [clientFile, connectionFile, presenceFile, serverFile, settingsFile]

/** Every frame of live/v1 in one direction. */
export const framesGoing = (direction: Direction): DescMessage[] =>
  files
    .flatMap(file => file.messages)
    .filter(desc => hasOption(desc, frameOption) && frameOf(desc).direction === direction)

const carriers = new Map(
  framesGoing(Direction.SERVER).map(desc => [frameOf(desc).event, new Set(frameOf(desc).services)]),
)

/** Whether a port of these services carries a server frame; an unknown event is carried by all. */
export function isCarried(services: ReadonlySet<string>, event: string): boolean {
  const eventServices = carriers.get(event)
  return !eventServices || [...eventServices].some(service => services.has(service))
}
