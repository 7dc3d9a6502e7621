import { setImmediate as nextTurn } from 'node:timers/promises'
import { create, type Message } from '@bufbuild/protobuf'
import { AckFrameSchema, ErrorFrameSchema } from '../../../gen/platform/live/v1/connection_pb.ts'
import { invalid, toRpcError, UnauthorizedError } from '../../../services/kernel/base/errors.ts'
import { fromJson } from '../../../services/kernel/json/decode.ts'
import { parseJson } from '../../../services/kernel/rpc/door/body.ts'
import { countJson } from '../../../services/kernel/rpc/door/cost.ts'
import { limitsOf } from '../../../services/kernel/rpc/door/size.ts'
import { requireValid } from '../../../services/kernel/rpc/validator.ts'
import { type FrameId, frameOf, messageBytes } from '../frames.ts'
import type { Hub } from '../hub.ts'
import { type Command, commands, isAnsweredOn, isWithinSize, mayBeWithinSize } from './commands.ts'
import type { Connection } from './connection.ts'
import { isWithinRate } from './live-socket.ts'

/** Counts a client frame at once, and answers it after earlier ones, in another turn of the event loop. */
export function dispatch(hub: Hub, connection: Connection, data: Buffer, isBinary: boolean): void {
  if (!connection.isOpen()) return
  const isTooFast =
    !isWithinRate(hub, connection, data.length) || connection.waitingFrames >= hub.limits.framesPerSecond
  if (isTooFast) return connection.close('tooMany')
  connection.waitingFrames++
  connection.lastAnswer = connection.lastAnswer
    .then(() => answerFrame(hub, connection, data, isBinary))
    .catch((error: unknown) => hub.log.error({ err: error }, 'socket frame failed'))
    .finally(() => connection.waitingFrames--)
    .then(() => nextTurn())
}

async function answerFrame(hub: Hub, connection: Connection, data: Buffer, isBinary: boolean): Promise<void> {
  if (!connection.isOpen()) return
  if (!mayBeWithinSize(hub, connection, data)) return connection.close('tooBig')
  let id: FrameId | undefined
  try {
    if (isBinary) throw invalid('frame', 'must be text', 'type')
    const frame = parseFrame(data)
    id = idOf(frame)
    const command = commandOf(frame, connection)
    if (!isWithinSize(hub, command, data)) return connection.close('tooBig')
    // As on every surface, the content is decoded once the sender is known.
    if (!command.isOpenToAll && !connection.identity) throw new UnauthorizedError('Send an auth frame first')
    const answer = await command.run(hub, connection, decodeData(command, frame['data']), offsetOf(frame))
    if (answer && (id !== undefined || command.alwaysAnswers))
      hub.outgoing.add(connection, messageBytes(AckFrameSchema, answer, id))
  } catch (thrown) {
    const error = toRpcError(thrown)
    const { class: name, status, violations } = error.info
    if (status >= 500) hub.log.error({ err: error.cause ?? error }, 'socket frame failed')
    const body = { statusCode: status, error: name, message: error.rawMessage, violations }
    if (connection.isOpen()) hub.outgoing.add(connection, messageBytes(ErrorFrameSchema, body, id))
  }
}

type Fields = Record<string, unknown>

function parseFrame(data: Buffer): Fields {
  countJson(data, limitsOf(data.length), 'frame')
  const frame = parseJson(data, 'frame')
  if (typeof frame !== 'object' || frame === null || Array.isArray(frame))
    throw invalid('frame', 'must be an object', 'type')
  return frame as Fields
}

const maxIdLength = 64

/** The id to answer under. Throws a ValidationError when it is neither a short text nor a number. */
function idOf({ id }: Fields): FrameId | undefined {
  if (id === undefined || id === null) return undefined
  if (typeof id === 'number') return id
  if (typeof id === 'string' && id.length <= maxIdLength) return id
  throw invalid('id', `must be a number or a text of at most ${maxIdLength} characters`, 'type')
}

/** The client's position; only the history interprets it. */
function offsetOf({ offset }: Fields): string | undefined {
  if (offset === undefined || offset === null) return undefined
  if (typeof offset === 'string' && offset.length <= maxIdLength) return offset
  throw invalid('offset', `must be a text of at most ${maxIdLength} characters`, 'type')
}

function commandOf({ event, ...rest }: Fields, { port }: Connection): Command {
  const command = typeof event === 'string' ? commands.get(event) : undefined
  const allowedKeys = command && frameOf(command.desc).recoverable ? ['data', 'id', 'offset'] : ['data', 'id']
  const unknownKey = Object.keys(rest).find(key => !allowedKeys.includes(key))
  if (unknownKey) throw invalid(unknownKey, 'is not a known field', 'unknown_field')
  if (command && isAnsweredOn(command, port.services)) return command
  throw invalid('event', 'is not a frame of this port', 'unknown_event')
}

function decodeData({ desc }: Command, data: unknown): Message {
  const field = desc.fields.find(({ name }) => name === frameOf(desc).dataField)
  // The error names `data`, the frame's own field, since a frame has no body.
  const isObject = typeof data === 'object' && data !== null && !Array.isArray(data)
  if (!field && data !== undefined && !isObject) throw invalid('data', 'must be an object', 'type')
  const wrapped = field ? { [field.jsonName]: data } : data
  // A frame without data is like one with an empty object: validation reports missing fields.
  const message = data === undefined ? create(desc) : fromJson(desc, wrapped)
  requireValid(desc, message)
  return message
}
