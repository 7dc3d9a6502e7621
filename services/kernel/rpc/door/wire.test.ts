import { create, createFileRegistry, type DescMessage, setExtension } from '@bufbuild/protobuf'
import {
  FieldOptionsSchema,
  FileDescriptorProtoSchema,
  FieldDescriptorProto_Label as Label,
  FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt'
import { FieldRulesSchema, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { assert, suite } from '../../../../test/kit/kit.ts'
import { fromWire } from './wire.ts'

const test = suite('decoding of protobuf messages')

/** Recursive types: Outer.inner, Inner.outer, and a list of at most three in Outer. */
function types(): { outer: DescMessage; inner: DescMessage } {
  const options = create(FieldOptionsSchema)
  const type = { case: 'repeated', value: { maxItems: 3n } } as const
  setExtension(options, rulesOption, create(FieldRulesSchema, { type }))
  const one = { label: Label.OPTIONAL, type: Type.MESSAGE, number: 1 }
  const list = { name: 'list', jsonName: 'list', label: Label.REPEATED, type: Type.STRING, number: 2, options }
  const file = create(FileDescriptorProtoSchema, {
    name: 'test.proto',
    syntax: 'proto3',
    messageType: [
      { name: 'Outer', field: [{ ...one, name: 'inner', jsonName: 'inner', typeName: '.Inner' }, list] },
      { name: 'Inner', field: [{ ...one, name: 'outer', jsonName: 'outer', typeName: '.Outer' }] },
    ],
  })
  const registry = createFileRegistry(file, () => undefined)
  const [outer, inner] = [registry.getMessage('Outer'), registry.getMessage('Inner')]
  if (!outer || !inner) throw new Error('no types')
  return { outer, inner }
}

test('lists of recursive messages are counted before they are decoded, in any order', () => {
  const tooLong = Buffer.from(Array(100).fill([0x12, 0]).flat())
  const inInner = Buffer.from([0x0a, 0xc8, 0x01, ...tooLong])
  const refusal = /no more than 3 item/
  for (const order of ['outer first', 'inner first']) {
    const { outer, inner } = types()
    const cases = [() => fromWire(outer, tooLong), () => fromWire(inner, inInner)]
    for (const read of order === 'outer first' ? cases : cases.reverse()) assert.throws(read, refusal, order)
  }
})

test.run()
