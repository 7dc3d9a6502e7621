import { type DescMessage, fromBinary, type Message } from '@bufbuild/protobuf'
import { checkContent } from '../../json/content.ts'
import { brokenProtobuf, maxDepth } from './cost.ts'

/** A level of JSON is up to two messages in protobuf, plus the message itself and its wrappers. */
export const messageDepth = 2 * maxDepth + 10

/**
 * Decodes a protobuf message, once `countProtobuf` has counted it, by the rules for JSON: list limits, texts without
 * NUL, storable times. Throws a ValidationError otherwise, also for bytes that aren't protobuf.
 */
export function fromWire(desc: DescMessage, bytes: Uint8Array): Message {
  let message: Message
  try {
    message = fromBinary(desc, bytes, { readUnknownFields: false, recursionLimit: messageDepth })
  } catch {
    throw brokenProtobuf()
  }
  checkContent(desc, message)
  return message
}
