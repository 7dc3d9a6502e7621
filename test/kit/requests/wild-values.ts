import { type DescField, type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import fc from 'fast-check'
import { minimalJson, type ValueChoice } from './minimal-body.ts'

const hostile = [
  '',
  ' ',
  '\u200b',
  '%',
  '%00',
  '..',
  '%2e%2e%2f',
  "' or 1=1 --",
  '__proto__',
  'constructor',
  'NaN',
  '-1',
  '1e308',
  '9'.repeat(30),
  'é😀',
  '\ud800',
  'a\0b',
  'a\r\nb: c',
  'x'.repeat(3000),
  '{"$gt":""}',
  'null',
  '2026-02-30T25:61:00Z',
  '<script>alert(1)</script>',
  'javascript:alert(1)',
]

/** Text that a person would hardly type. */
export const wildText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...hostile) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-f]{24}$/) },
)

/** Any value of JSON, mostly a hostile one. */
export const wildValue = fc.oneof(
  wildText,
  fc.jsonValue({ maxDepth: 4 }),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
)

/** A message that satisfies most constraints, with optional fields of their types, and now and then anything else. */
export function wildJson(
  desc: DescMessage,
  choose: ValueChoice,
  skip: ReadonlySet<string> = new Set(),
): fc.Arbitrary<Record<string, unknown>> {
  const requiredFields = minimalJson(desc, choose, skip)
  const fields = desc.fields.filter(({ name }) => !skip.has(name))
  if (fields.length === 0) return fc.constant(requiredFields)
  const typedEntry = fc
    .constantFrom(...fields)
    .chain(field => fc.tuple(fc.constant(field.jsonName), typedValue(field, choose)))
  const anyEntry = fc.tuple(fc.constantFrom(...fields.map(field => field.jsonName), 'unknown'), wildValue)
  return fc
    .tuple(
      fc.array(typedEntry, { maxLength: 4 }),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(anyEntry, { maxLength: 2 }) },
      ),
    )
    .map(([typedEntries, anyEntries]) => ({
      ...requiredFields,
      ...Object.fromEntries(typedEntries),
      ...Object.fromEntries(anyEntries),
    }))
}

/** A value of the field's type: inside its limits, at them, or beyond them. */
function typedValue(field: DescField, choose: ValueChoice, depth = 0): fc.Arbitrary<unknown> {
  if (field.fieldKind === 'map') return fc.dictionary(fc.string({ maxLength: 20 }), wildValue, { maxKeys: 3 })
  const one = single(field, choose, depth)
  return field.fieldKind === 'list' ? fc.array(one, { maxLength: 4 }) : one
}

const dates = fc.oneof(
  fc.date({ noInvalidDate: true }).map(date => date.toISOString()),
  fc.constantFrom(
    '2026-12-01T10:00:00Z',
    '2026-12-01',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59Z',
    '2026-03-29T02:30:00+01:00',
  ),
)

function single(field: DescField, choose: ValueChoice, depth: number): fc.Arbitrary<unknown> {
  const { message, scalar } = field
  if (message?.typeName === 'google.protobuf.Timestamp') return dates
  if (message?.typeName === 'google.protobuf.Struct')
    return fc.dictionary(fc.string({ maxLength: 10 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 })
  if (message?.typeName.startsWith('google.')) return fc.constant('')
  if (message) return depth < 3 && message.fields.length > 0 ? nested(message, choose, depth) : fc.constant({})
  if (scalar === ScalarType.BOOL) return fc.boolean()
  if (scalar !== ScalarType.STRING) return fc.oneof(fc.integer({ min: -2, max: 120 }), fc.integer(), fc.double())
  const { type } = getOption(field, rulesOption)
  const allowedTexts = type.case === 'string' ? type.value.in : []
  const chosenText = choose(field)
  return fc.oneof(
    {
      weight: 3,
      arbitrary:
        allowedTexts.length > 0 ? fc.constantFrom(...allowedTexts) : fc.string({ unit: 'grapheme', maxLength: 30 }),
    },
    ...(chosenText === undefined ? [] : [{ weight: 6, arbitrary: fc.constant(chosenText) }]),
    { weight: 2, arbitrary: wildText },
  )
}

const nested = (desc: DescMessage, choose: ValueChoice, depth: number): fc.Arbitrary<unknown> =>
  fc
    .array(
      fc
        .constantFrom(...desc.fields)
        .chain(field => fc.tuple(fc.constant(field.jsonName), typedValue(field, choose, depth + 1))),
      { maxLength: 4 },
    )
    .map(entries => ({ ...minimalJson(desc, choose), ...Object.fromEntries(entries) }))
