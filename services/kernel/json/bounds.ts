import { type DescField, getOption } from '@bufbuild/protobuf'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { memoizeByObject } from '../base/memo.ts'

/** Maximum of items in a list or pairs in a map, by its constraint; Infinity without one. */
export const maxItems = memoizeByObject((field: DescField): number => {
  const { type } = getOption(field, rulesOption)
  if (type.case === 'repeated' && type.value.maxItems > 0n) return Number(type.value.maxItems)
  if (type.case === 'map' && type.value.maxPairs > 0n) return Number(type.value.maxPairs)
  return Number.POSITIVE_INFINITY
})
