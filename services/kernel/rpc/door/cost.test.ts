import {
  create,
  createFileRegistry,
  type DescMessage,
  fromBinary,
  type JsonObject,
  type Message,
  toBinary,
} from '@bufbuild/protobuf'
import {
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt'
import fc from 'fast-check'
import { CreatePageRequestSchema } from '../../../../gen/platform/news/v1/pages_pb.ts'
import { assert, suite } from '../../../../test/kit/kit.ts'
import { toRpcError } from '../../base/errors.ts'
import { countJson, countProtobuf, maxDepth } from './cost.ts'

const test = suite('the cost of a body')

const bytes = 10_000_000
const json = (text: string): Buffer => Buffer.from(text)

const statusOf = (count: () => void): number => {
  try {
    count()
    return 200
  } catch (error) {
    return toRpcError(error).info.status
  }
}

/** Whether a body has exactly that many values: it is refused by a limit of one less. */
function assertValues(count: (limits: { bytes: number; values: number }) => void, values: number, label: string): void {
  assert.is(
    statusOf(() => count({ bytes, values })),
    200,
    `${label}: at most ${values}`,
  )
  assert.is(
    statusOf(() => count({ bytes, values: values - 1 })),
    413,
    `${label}: at least ${values}`,
  )
}

/** The values in parsed JSON. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Object.values(value).reduce((sum, one) => sum + valuesIn(one), 0)
    : 1

test('the values of JSON are its objects, lists, texts, numbers and literals, however it is written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t\r\n '), (value, space) => {
      const text = JSON.stringify(value, undefined, space)
      assertValues(limits => countJson(json(text), limits), valuesIn(value), text)
    }),
  )
  for (const text of ['"a,b:[{\\"1\\",\\\\"', '[ -1e5 , true,null ]', '{"a\\"b":"[,]","é":[""]}'])
    assertValues(limits => countJson(json(text), limits), valuesIn(JSON.parse(text)), text)
})

test('a free object has as many values in protobuf as in JSON', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), content => {
      const message = create(CreatePageRequestSchema, { title: 'x', content: content as JsonObject })
      const all = toBinary(CreatePageRequestSchema, message)
      const free = message.content ?? {}
      assertValues(
        limits => countProtobuf(CreatePageRequestSchema, all, limits),
        2 + valuesIn(free),
        JSON.stringify(free),
      )
    }),
  )
})

/** A type with a field of each kind: list (1), packed list (2), its own type (3), map of it (4), doubles (5). */
function sampleType(): DescMessage {
  const entry = {
    name: 'MapEntry',
    options: { mapEntry: true },
    field: [
      { name: 'key', number: 1, type: Type.STRING, label: Label.OPTIONAL },
      { name: 'value', number: 2, type: Type.MESSAGE, typeName: '.Sample', label: Label.OPTIONAL },
    ],
  }
  const field = [
    { name: 'texts', number: 1, type: Type.STRING, label: Label.REPEATED },
    { name: 'numbers', number: 2, type: Type.UINT32, label: Label.REPEATED },
    { name: 'inner', number: 3, type: Type.MESSAGE, typeName: '.Sample', label: Label.OPTIONAL },
    { name: 'map', number: 4, type: Type.MESSAGE, typeName: '.Sample.MapEntry', label: Label.REPEATED },
    { name: 'doubles', number: 5, type: Type.DOUBLE, label: Label.REPEATED },
  ].map(one => ({ ...one, jsonName: one.name }))
  const sample = { name: 'Sample', field, nestedType: [entry] }
  const file = create(FileDescriptorProtoSchema, { name: 'sample.proto', syntax: 'proto3', messageType: [sample] })
  const type = createFileRegistry(file, () => undefined).getMessage('Sample')
  if (!type) throw new Error('no type')
  return type
}

const sample = sampleType()
const packed = (...content: number[]): number[] => [content.length, ...content]

test('each item, entry and occurrence in protobuf is a value, packed or not, known or not', () => {
  const cases: [what: string, content: number[], values: number][] = [
    ['texts', [0x0a, 0, 0x0a, 0], 2],
    ['numbers, one by one', [0x10, 1, 0x10, 2], 2],
    ['packed numbers of one and two bytes', [0x12, ...packed(1, 0x80, 1, 3)], 4],
    ['packed doubles', [0x2a, ...packed(...Array<number>(24).fill(0))], 4],
    ['an inner message with texts', [0x1a, ...packed(0x0a, 0, 0x0a, 0)], 3],
    ['a field given again', [0x1a, 0, 0x1a, 0, 0x1a, 0], 3],
    ['an entry with a text in its value', [0x22, ...packed(0x0a, 1, 97, 0x12, ...packed(0x0a, 0))], 2],
    ['an entry whose key is given again', [0x22, ...packed(0x0a, 0, 0x0a, 0, 0x0a, 0)], 2],
    ['unknown fields', [0x78, 1, 0x7a, 1, 1], 2],
  ]
  for (const [label, content, values] of cases)
    assertValues(limits => countProtobuf(sample, Uint8Array.from(content), limits), values + 1, label)
})

test('what another reader would take for something else is a 400: wrong wire types and lengths', () => {
  const cases: [what: string, content: number[]][] = [
    ['a message as a number, whose content follows', [0x18, 2, 0x7a, 0]],
    ['a text as a number', [0x08, 1]],
    ['a number of four bytes for a varint', [0x15, 0, 0, 0, 0]],
    ['an inner message longer than the outer', [0x1a, 2, 0x1a, 9]],
    ['a text that ends after its message', [0x1a, 2, 0x0a, 3, 97, 97, 97]],
    ['a tag without its value', [0x10]],
  ]
  for (const [label, content] of cases)
    assert.is(
      statusOf(() => countProtobuf(sample, Uint8Array.from(content), { bytes, values: 9 })),
      400,
      label,
    )
})

/** The message in some bytes; undefined when a text in them isn't UTF-8. */
function decoded(content: Uint8Array): Message | undefined {
  try {
    return fromBinary(sample, content, { readUnknownFields: false, recursionLimit: 300 })
  } catch {
    return undefined
  }
}

test('whatever the counter lets through, the decoder builds no more values than counted', () => {
  const fields = (message: Message): number =>
    Object.values(message).reduce((sum, value) => sum + (typeof value === 'object' ? valuesIn(value) : 1), 1)
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), content => {
      for (const values of [1, 2, 4, 8]) {
        if (statusOf(() => countProtobuf(sample, content, { bytes, values })) !== 200) continue
        const message = decoded(content)
        // A message has four lists and maps, and its name, even when it is empty.
        if (message) assert.ok(fields(message) <= 6 * values + 6, Buffer.from(content).toString('hex'))
      }
    }),
    { numRuns: 5_000 },
  )
})

test('more than 100 levels below the outermost are a 400, in JSON and protobuf alike', () => {
  const nested = (levels: number): string => `${'['.repeat(levels + 1)}${']'.repeat(levels + 1)}`
  const limits = { bytes, values: 1_000_000 }
  for (const [levels, status] of [
    [maxDepth, 200],
    [maxDepth + 1, 400],
    [100_000, 400],
  ] as const)
    assert.is(
      statusOf(() => countJson(json(nested(levels)), limits)),
      status,
      `${levels} levels`,
    )
  assert.is(
    statusOf(() => countJson(json('[1]'.repeat(200)), limits)),
    200,
    'one after another is not one in another',
  )
  assert.is(
    statusOf(() => countJson(json(JSON.stringify({ text: '[{'.repeat(200), 'key"[': '\\"[[' })), limits)),
    200,
  )
  assert.is(
    statusOf(() => countJson(json(`{"text":"\\\\","deep":${'['.repeat(102)}`), limits)),
    400,
  )

  // The message, its content and one member are levels in both forms.
  for (const [levels, status] of [
    [99, 200],
    [100, 400],
  ] as const) {
    const content = JSON.parse(`{"a":${nested(levels - 1)}}`) as JsonObject
    const message = toBinary(CreatePageRequestSchema, create(CreatePageRequestSchema, { content }))
    assert.is(
      statusOf(() => countJson(json(JSON.stringify({ content })), limits)),
      status,
      `${levels} levels, JSON`,
    )
    assert.is(
      statusOf(() => countProtobuf(CreatePageRequestSchema, message, limits)),
      status,
      `${levels} levels`,
    )
  }
  let inner: number[] = []
  for (let level = 0; level < 40; level++) inner = [0x1a, ...packed(...inner)]
  assert.is(
    statusOf(() => countProtobuf(sample, Uint8Array.from(inner), limits)),
    200,
  )
})

test('bytes beyond the limit are a 413; numbers of a free object take more of them in protobuf than in JSON', () => {
  const limits = { bytes: 1_000, values: 1_000 }
  const text = (length: number) => json(`{"title":"${'x'.repeat(length - 12)}"}`)
  assert.is(
    statusOf(() => countJson(text(1_000), limits)),
    200,
  )
  assert.is(
    statusOf(() => countJson(text(1_001), limits)),
    413,
  )
  const status = (init: { title: string } | { content: JsonObject }) => {
    const message = toBinary(CreatePageRequestSchema, create(CreatePageRequestSchema, init))
    return statusOf(() => countProtobuf(CreatePageRequestSchema, message, limits))
  }
  assert.is(status({ title: 'x'.repeat(950) }), 200)
  assert.is(status({ title: 'x'.repeat(1_100) }), 413)
  assert.is(status({ content: { a: Array<number>(450).fill(0) } }), 200)
})

test.run()
