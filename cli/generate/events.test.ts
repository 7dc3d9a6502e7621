import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { EventSchema } from '../../gen/platform/options/v1/options_pb.ts'
import { entitiesOf } from '../../services/kernel/bus/event-option.ts'
import { root } from '../run.ts'
import { loadFiles } from './descriptors.ts'
import { emittersIn, eventEntries, eventGaps, serviceSources } from './events/catalogue.ts'
import { portProblem, roomProblem } from './events/rooms.ts'

const test = suite('the catalogue of events')
const files = await loadFiles(join(root, 'gen'))
const entries = eventEntries(files, serviceSources())
const entryOf = (type: string) => {
  const entry = entries.find(({ event }) => event.type === type)
  if (!entry) throw new Error(`no event ${type}`)
  return entry
}

test('every event has an emitter, and a template and a frame or an explicit exception', () => {
  assert.equal(eventGaps(entries), [])
  assert.ok(entries.length > 30)
})

test('the page of events has a section with every field of each payload', () => {
  const page = readFileSync(join(root, 'docs/events.md'), 'utf8')
  for (const { event, desc, emitters } of entries) {
    const section = page.split(`\n## ${event.type}\n`)[1]?.split('\n## ')[0] ?? ''
    assert.ok(section.includes(`\`${event.key}\``), event.key)
    for (const emitter of emitters) assert.ok(section.includes(emitter), `${event.type} by ${emitter}`)
    for (const { jsonName } of desc.fields)
      assert.ok(section.includes(`| \`${jsonName}\` |`), `${event.type}: ${jsonName}`)
  }
})

test('emitters, template, frame and rooms of an event are those of the code', () => {
  const { emitters, template, frames } = entryOf('comment.created')
  assert.equal(
    [emitters, template, frames],
    [['news'], 'comment_created', [{ event: 'comment.created', rooms: ['page:{pageId}'] }]],
  )
  assert.equal(entryOf('hotel.settings_updated').frames, [{ event: 'settings:updated', rooms: ['hotel:{hotelId}'] }])
  assert.equal(entryOf('payment.subscription_changed').emitters, ['payment'])
  assert.equal([entryOf('user.created').template, entryOf('user.created').frames], [undefined, []])
})

test('an event without emitter, or without texts and row, is a gap', () => {
  const page = entryOf('page.created')
  const silent = { ...page, emitters: [] }
  assert.equal(eventGaps([...entries.filter(each => each !== page), silent]), [
    'page.created: no service emits it: none has a call such as emit(trx, PageCreatedSchema, …) outside tests',
  ])
  const event = { ...page.event, type: 'page.pinned', key: 'platform.notification.page.pinned' }
  assert.equal(eventGaps([...entries, { ...page, event, template: undefined }]), [
    'page.pinned: has no template in services/notification/texts/default-templates.json',
    'page.pinned: has no row in edge/live/feed.ts, nor is it in unfedSubjects',
  ])
  const gaps = eventGaps(entries.filter(each => each !== page))
  assert.equal(gaps, [
    'platform.notification.page.created: is in edge/live/feed.ts, but not in events/v1',
    'page.created: has a template, but is not an event',
  ])
})

test('a row of the feed that makes no frame is a gap', () => {
  const like = entryOf('like.created')
  const [gap = '', ...otherGaps] = eventGaps([...entries.filter(each => each !== like), { ...like, frames: [] }])
  assert.match(gap, 'like.created: its row in edge/live/feed.ts makes no frame of an example')
  assert.equal(otherGaps, [])
})

test('an event declares its entity, and whether it needs each deletable record that it names', () => {
  const comment = entryOf('comment.created')
  assert.equal(comment.entities, {
    entity: { kind: 'comment', field: 'id' },
    isDeletion: false,
    needs: [{ kind: 'page', field: 'pageId' }],
  })
  assert.ok(entryOf('comment.deleted').entities.isDeletion)
  const otherEntries = entries.filter(each => each !== comment)
  assert.equal(eventGaps([...otherEntries, { ...comment, entities: { ...comment.entities, needs: [] } }]), [
    'comment.created: its pageId names a page that can be deleted: needs: "page:{pageId}"',
  ])
  const event = { ...comment.event, type: 'comment.removed', key: 'platform.hotel.comment.removed' }
  const gaps = eventGaps([...entries, { ...comment, event, template: undefined }])
  assert.ok(gaps.includes('comment.removed: its type reports a deletion: its entity belongs in deletes'), `${gaps}`)
})

test('an event without an entity, or with an unknown field, is refused by name', () => {
  const { desc } = entryOf('like.created')
  const readRefusal = (event: MessageInitShape<typeof EventSchema>) => {
    try {
      entitiesOf(desc, create(EventSchema, { type: 'like.created', ...event }))
    } catch (error) {
      return error instanceof Error ? error.message : error
    }
    return undefined
  }
  assert.is(readRefusal({ about: 'like:{id}', needs: ['page:{pageId}'] }), undefined)
  const either = 'like.created: either about or deletes must name its entity, as in page:{id}'
  assert.equal([readRefusal({}), readRefusal({ about: 'like:{id}', deletes: 'like:{id}' })], [either, either])
  assert.is(readRefusal({ about: 'like' }), 'like.created: "like" is not an entity such as page:{id}')
  assert.is(
    readRefusal({ deletes: 'like:{likeId}' }),
    'like.created: "like:{likeId}" names likeId, which is not a text field',
  )
  assert.is(
    readRefusal({ about: 'like:{id}', needs: ['page:{page_id}'] }),
    'like.created: "page:{page_id}" names page_id, which is not a text field',
  )
})

test('the rooms of a frame match its option, and their variables hold ids of the right kind', () => {
  const like = entryOf('like.created')
  const otherEntries = entries.filter(each => each !== like)
  const findGaps = (rooms: string[]) =>
    eventGaps([...otherEntries, { ...like, frames: [{ event: 'like.created', rooms }] }])
  assert.equal(findGaps(['page:{pageId}']), [])
  assert.equal(findGaps(['page:{memberId}']), [
    'like.created: the room page:{pageId} of its frame like.created is filled as page:{memberId}',
  ])
  assert.equal(roomProblem('page:{id}', entryOf('page.updated').entities), undefined)
  assert.equal(roomProblem('workspace:{workspaceId}:type:{pageType}', like.entities), undefined)
  assert.is(roomProblem('member:{id}', like.entities), 'id is not the id of a member')
  assert.is(roomProblem('member:{pageId}', undefined), 'pageId is not the id of a member')
})

test('a frame is carried by ports where sockets get into its room', () => {
  assert.is(portProblem('workspace:{workspaceId}', ['member', 'news']), undefined)
  assert.is(portProblem('workspace:{workspaceId}:type:{pageType}', ['news']), undefined)
  assert.is(
    portProblem('page:{pageId}', ['news', 'member']),
    'no socket gets into it on the port of member, only of news',
  )
  const unknown = 'no port has it: name its ports in `portsByRoom` of cli/generate/events/rooms.ts'
  assert.is(portProblem('team:{teamId}', ['member']), unknown)
})

test('only services emit events, on one line or several', () => {
  const text = 'emit(trx, ASchema, {})\n  emitBare(\n    trx,\n    BSchema,\n  emitAll(trx, CSchema, [])\n'
  const paths = ['services/news/a.ts', 'services/news/a.test.ts', 'services/kernel/b.ts', 'bench/c.ts']
  assert.equal(
    [...emittersIn(paths.map(path => ({ path, text })))].map(([name, from]) => [name, [...from]]),
    [
      ['ASchema', ['news']],
      ['BSchema', ['news']],
      ['CSchema', ['news']],
    ],
  )
})

test.run()
