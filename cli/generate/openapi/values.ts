import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf'
import { json as jsonOption } from '../../../gen/platform/options/v1/options_pb.ts'
import type { Schema } from './schema.ts'

/** Whether a field is an update mask, which the edge derives from the body's keys. */
export const isMask = (field: DescField): boolean => field.message?.typeName === 'google.protobuf.FieldMask'

/** Whether a text must stay hidden, such as a password. */
export const isSecretText = (field: DescField): boolean =>
  field.scalar === ScalarType.STRING && getOption(field, jsonOption).secret

/** JSON forms of protobuf's own messages; undefined for a message of the platform. */
export function ofWellKnown(desc: DescMessage): Schema | undefined {
  switch (desc.typeName) {
    case 'google.protobuf.Timestamp':
      return { type: 'string', format: 'date-time' }
    case 'google.protobuf.Struct':
      return { type: 'object', additionalProperties: true }
    case 'google.protobuf.Value':
      return {}
    default:
      return undefined
  }
}

/** JSON form of a scalar; 64-bit numbers travel as numbers. */
export function ofScalar({ scalar }: DescField): Schema {
  switch (scalar) {
    case ScalarType.BOOL:
      return { type: 'boolean' }
    case ScalarType.BYTES:
      return { type: 'string', format: 'byte' }
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: 'number', format: 'double' }
    case ScalarType.INT32:
    case ScalarType.UINT32:
      return { type: 'integer', format: 'int32' }
    case ScalarType.INT64:
    case ScalarType.UINT64:
      return { type: 'integer', format: 'int64' }
    default:
      return { type: 'string' }
  }
}
