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

/** Bounds of storable times in seconds since 1970: the years 1970 to 9998. */
const [first, end] = [0, Date.UTC(9999, 0) / 1000]

/** How a time outside these years is described in an error. */
export const storableTimes = 'a time in the years 1970 to 9998'

/** Whether the databases can store a time in every zone; others are refused on every surface. */
export const isStorableTime = (seconds: number): boolean => seconds >= first && seconds < end
