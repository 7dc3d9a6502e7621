import { readFileSync } from 'node:fs'
import { type DescField, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { Direction, event, frame } from '../../gen/platform/options/v1/options_pb.ts'
import { unbounded } from './bounds.ts'
import { loadFiles, messagesOf } from './descriptors.ts'
import { documentedFrames, documentedKeys, documentedPayloads } from './messages.ts'
import { patternsOf, slowness } from './patterns.ts'

const test = suite('contract: events and frames')
const messages = messagesOf(await loadFiles())
const inPackage = (name: string): DescMessage[] => messages.filter(one => one.file.proto.package === name)
const events = messages.filter(message => hasOption(message, event))
const frames = messages.filter(message => hasOption(message, frame))
const keys = events.flatMap(message => [getOption(message, event).key, ...getOption(message, event).aliases])
const twice = (names: string[]): string[] => names.filter((name, at) => names.indexOf(name) !== at)

/** Messages of a package that are neither in `has` nor part of another message. */
function strays(packageName: string, has: DescMessage[], also: string[]): string[] {
  const parts = new Set(messages.flatMap(message => message.fields.map(field => field.message?.typeName)))
  return inPackage(packageName)
    .filter(message => !has.includes(message) && !parts.has(message.typeName) && !also.includes(message.name))
    .map(message => message.typeName)
}

test('every message on the bus has a type and a routing key that ends with it', () => {
  assert.equal(strays('platform.events.v1', events, ['Envelope']), [])
  for (const message of events) {
    const { type, key } = getOption(message, event)
    assert.match(key, /^platform(\.[a-z_-]+)+$/, message.typeName)
    assert.ok(type && key.endsWith(`.${type}`), `${message.typeName}: type "${type}", key "${key}"`)
    if (key.startsWith('platform.notification.')) assert.is(key, `platform.notification.${type}`)
  }
})

test('no two messages share a type or a routing key', () => {
  assert.equal(twice(events.map(message => getOption(message, event).type)), [])
  assert.equal(twice(keys), [])
})

test('every documented routing key has its message', () => {
  const covers = (documentedKey: string): boolean =>
    documentedKey.endsWith('*')
      ? keys.some(key => key.startsWith(documentedKey.slice(0, -1)))
      : keys.includes(documentedKey)
  assert.equal(
    documentedKeys.filter(documentedKey => !covers(documentedKey)),
    [],
  )
})

test('a payload has its documented fields, and an id unless it is bare', () => {
  const byType = new Map(events.map(message => [getOption(message, event).type, message]))
  for (const [type, paths] of Object.entries(documentedPayloads)) {
    const message = byType.get(type)
    assert.ok(message, type)
    for (const path of paths) assert.ok(fieldAt(message, path.split('.')), `${type}: ${path}`)
  }
  for (const message of events) {
    if (!getOption(message, event).bare) assert.is(fieldAt(message, ['id'])?.jsonName, 'id', message.typeName)
  }
})

test('only the storage quota is published without the envelope', () => {
  const bare = events.filter(message => getOption(message, event).bare)
  assert.equal(
    bare.map(message => getOption(message, event).key),
    ['platform.storage.media'],
  )
})

test('every frame has an event, a direction and services', () => {
  assert.equal(strays('platform.live.v1', frames, ['RoomFrame', 'PresenceReport']), [])
  for (const message of frames) {
    const { event: name, direction, services, room } = getOption(message, frame)
    assert.ok(name, message.typeName)
    assert.is.not(direction, Direction.UNSPECIFIED, message.typeName)
    assert.ok(services.length > 0, message.typeName)
    for (const service of services) assert.ok(['hotel', 'member', 'news', 'notification'].includes(service), service)
    if (direction === Direction.CLIENT) assert.is(room, '', message.typeName)
  }
})

test('a frame whose data is one value names its only field', () => {
  for (const message of frames) {
    const { dataField } = getOption(message, frame)
    if (dataField)
      assert.equal(
        [dataField],
        message.fields.map(field => field.name),
        message.typeName,
      )
  }
})

test('a service has at most one frame per event and direction', () => {
  const names = frames.flatMap(message => {
    const { event: name, direction, services } = getOption(message, frame)
    return services.map(service => `${service} ${direction} ${name}`)
  })
  assert.equal(twice(names), [])
})

test('every documented frame exists on its service, in its room', () => {
  const declaredFrames = frames.flatMap(message => {
    const { event: name, direction, services, room } = getOption(message, frame)
    const sender = direction === Direction.CLIENT ? 'client' : 'server'
    return services.map(service => [service, sender, name, room].filter(Boolean).join(' '))
  })
  assert.equal(
    documentedFrames.filter(row => !declaredFrames.includes(row)),
    [],
  )
})

test('the table of rooms in the contract names every server frame beside its room', () => {
  const contract = readFileSync(new URL('../../docs/contract.md', import.meta.url), 'utf8')
  const unnamed = (room: string) => room.replaceAll(/\{\w+\}/g, '{}')
  const table = [...contract.matchAll(/^\| `(\w+:\{[^`]*)` \|.*\| (.*) \|$/gm)]
  const carried = new Map(table.map(([, room = '', names = '']) => [unnamed(room), names]))
  const missing = frames.flatMap(message => {
    const { event: name, direction, room } = getOption(message, frame)
    const isNamed = direction === Direction.CLIENT || room === '' || carried.get(unnamed(room))?.includes(`\`${name}\``)
    return isNamed ? [] : [`${name}: add it to the row of ${room} in docs/contract.md, “Sockets”`]
  })
  assert.equal(missing, [])
})

test('every field of an event and of a client frame is bounded', () => {
  const clientFrames = frames.filter(message => getOption(message, frame).direction === Direction.CLIENT)
  assert.equal(
    [...events, ...clientFrames].flatMap(message => unbounded(message)),
    [],
  )
})

/** The field at a path of JSON names. */
function fieldAt(message: DescMessage, [name, ...rest]: string[]): DescField | undefined {
  const field = message.fields.find(one => one.jsonName === name)
  return field && rest.length > 0 ? field.message && fieldAt(field.message, rest) : field
}

test('no pattern takes more than linear time', () => {
  const patterns = patternsOf(messages)
  assert.ok(patterns.size > 20, `${patterns.size} found`)
  const slow = [...patterns].flatMap(([pattern, fields]) => {
    const reason = slowness(pattern)
    return reason ? [`${fields.join()}: ${pattern} ${reason}`] : []
  })
  assert.equal(slow, [])
  for (const bad of [
    '^(a+)+$',
    '^(a|a)*$',
    '^[a-z]+[a-z]*$',
    '^(-[a-z-]+)*$',
    '^([a-z]+)*$',
    '(?=a)b',
    '^.*x.*$',
    '^(a)\\1$',
  ])
    assert.ok(slowness(bad), bad)
})

test.run()
