import { type DescField, getOption } from '@bufbuild/protobuf'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'

const known = new WeakMap<DescField, number>()

/** Maximum of items in a list or pairs in a map, by its constraint; Infinity without one. */
export function mostItems(field: DescField): number {
  let most = known.get(field)
  if (most === undefined) known.set(field, (most = read(field)))
  return most
}

function read(field: DescField): number {
  const { type } = getOption(field, rulesOption)
  if (type.case === 'repeated' && type.value.maxItems > 0n) return Number(type.value.maxItems)
  if (type.case === 'map' && type.value.maxPairs > 0n) return Number(type.value.maxPairs)
  return Number.POSITIVE_INFINITY
}
