import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { create, type DescMessage, getOption, hasOption, type Message } from '@bufbuild/protobuf'
import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Direction, frame as frameOption } from '../../gen/platform/options/v1/options_pb.ts'
import { toJson } from '../../services/kernel/json/encode.ts'
import { root } from '../run.ts'
import { loadFiles } from './descriptors.ts'
import { eventEntries, serviceSources } from './events/catalogue.ts'
import { valuesOf } from './openapi/constraints.ts'

type Fields = { [key: string]: Fields }

const test = suite('the AsyncAPI document')
const read = (path: string): Fields => JSON.parse(readFileSync(path, 'utf8')) as Fields
const document = read(join(root, 'gen/asyncapi.json'))
const files = await loadFiles(join(root, 'gen'))
const entries = eventEntries(files, serviceSources())
const frames = files.flatMap(file => file.messages).filter(desc => hasOption(desc, frameOption))

/** The target of a reference; undefined when it doesn't exist. */
const resolveReference = (ref: string): Fields | undefined =>
  ref
    .slice(2)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<Fields | undefined>((node, part) => node?.[part], document)

/** A validator of one message's payload, with the schemas it refers to; objects are closed. */
const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true })
ajv.addSchema({ $id: 'document', ...document })
const mistakes = (message: string, value: unknown): unknown => {
  const isValid = ajv.getSchema(`document#/components/messages/${message}/payload`)
  if (!isValid) throw new Error(`no message ${message}`)
  return isValid(value) ? [] : isValid.errors
}

test('it is an AsyncAPI 3.0 document, by the published schema', () => {
  const schemaPath = createRequire(import.meta.url).resolve('@asyncapi/specs/schemas/3.0.0-without-$id.json')
  const isAsyncApi = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(read(schemaPath))
  assert.ok(isAsyncApi(document), JSON.stringify(isAsyncApi.errors?.slice(0, 3)))
  const invalidDocument = structuredClone(document) as { operations: Fields }
  invalidDocument.operations = { x: { action: 'shout' } as never }
  assert.not.ok(isAsyncApi(invalidDocument), 'the schema tells good from bad')
})

test('every reference names something in it', () => {
  const refs = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  assert.ok(refs.length > 300)
  assert.equal(
    refs.filter(ref => resolveReference(ref) === undefined),
    [],
  )
})

test('every event has a channel for each of its keys, and is sent on it', () => {
  for (const { desc, event } of entries) {
    for (const key of [event.key, ...event.aliases]) {
      assert.equal(Object.keys(document['channels']?.[key]?.['messages'] ?? {}), [desc.name], key)
      assert.is(String(document['operations']?.[`send ${key}`]?.['action']), 'send')
    }
  }
  const channels = Object.keys(document['channels'] ?? {}).filter(name => !name.endsWith('Sockets'))
  assert.is(channels.length, entries.flatMap(({ event }) => [event.key, ...event.aliases]).length)
})

test('every frame is on the sockets of its services, in its direction', () => {
  for (const desc of frames) {
    const { event, services, direction } = getOption(desc, frameOption)
    const action = direction === Direction.SERVER ? 'send' : 'receive'
    for (const name of services) {
      assert.ok(document['channels']?.[`${name}Sockets`]?.['messages']?.[desc.name], `${event} on ${name}`)
      assert.is(String(document['operations']?.[`${name} ${action} ${event}`]?.['action']), action)
    }
  }
})

/** A message with every field at its first listed value, else at its zero value. */
const smallest = (desc: DescMessage, hasMessages: boolean): Message =>
  create(
    desc,
    Object.fromEntries(
      desc.fields.flatMap((field): [string, unknown][] => {
        const [first] = (valuesOf(field)['enum'] ?? []) as string[]
        if (first !== undefined) return [[field.localName, first]]
        if (!hasMessages || field.fieldKind !== 'message') return []
        return [[field.localName, smallest(field.message, true)]]
      }),
    ),
  )

test('every printed event and server frame matches its schema, with every field', () => {
  const metadata = {
    timestamp: '2026-03-01T09:00:00.000Z',
    actor: { id: 'system', name: 'system', type: 'system' },
    receiverIds: [],
    occurrenceId: 'x',
  }
  for (const { desc, event } of entries) {
    for (const payload of [false, true].map(hasMessages => toJson(desc, smallest(desc, hasMessages)))) {
      const envelope = { type: event.type, workspaceId: '', payload, channels: ['socket'], metadata }
      assert.equal(mistakes(desc.name, event.bare ? payload : envelope), [], event.type)
    }
  }
  for (const desc of frames) {
    const { event, direction } = getOption(desc, frameOption)
    if (direction !== Direction.SERVER) continue
    assert.equal(mistakes(desc.name, { event, data: toJson(desc, smallest(desc, false)) }), [], event)
    const [field] = desc.fields
    if (field) assert.not.equal(mistakes(desc.name, { event, data: { [field.jsonName]: [[]] } }), [], event)
  }
})

test('every message has an example that its schema accepts, with every field', () => {
  const messages = Object.entries(document['components']?.['messages'] ?? {})
  assert.ok(messages.length > 70)
  for (const [name, { examples }] of messages) {
    const payload = (examples as unknown as { payload: unknown }[])[0]?.payload
    assert.equal(mistakes(name, payload), [], `${name} ${JSON.stringify(payload)}`)
  }
})

test('a client frame matches its constraints', () => {
  const id = '66f2a1c09b3e4d5f60718293'
  assert.equal(mistakes('JoinPageFrame', { event: 'joinPage', data: id, id: '1' }), [])
  assert.not.equal(mistakes('JoinPageFrame', { event: 'joinPage', data: 'page' }), [])
  assert.not.equal(mistakes('JoinPageFrame', { event: 'leavePage', data: id }), [])
})

test.run()
