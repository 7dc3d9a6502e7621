import { type DescMessage, fromBinary, fromJson, getOption, type JsonValue, toBinary } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createValidator } from '@bufbuild/protovalidate'
import { type Kysely, sql } from 'kysely'
import { emitted } from '../../../gen/emitted.ts'
import { events } from '../../../gen/events.ts'
import { EnvelopeSchema } from '../../../gen/platform/events/v1/envelope_pb.ts'
import { ListPagesResponseSchema } from '../../../gen/platform/news/v1/pages_pb.ts'
import { event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { body, type NewsForTest, nearDeadline, newsForTest } from '../../../test/kit/news.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { toJson } from '../../kernel/json/encode.ts'
import { type DirectoryViews, memberDirectory } from '../members.ts'
import { remindOfDeadlines } from '../reading/deadlines.ts'
import type { NewsDb } from '../tables.ts'
import { messagesFor, mostReceivers } from './events.ts'

const test = suite('events of the news service')
let world: NewsForTest
let memberDb: Kysely<DirectoryViews>
let newsDb: NewsDb

test.before(async () => {
  world = await newsForTest()
  memberDb = openDatabase(world.host.databaseUrl('member'))
  newsDb = openDatabase(world.host.databaseUrl('news'))
})
test.after(async () => {
  await Promise.all([closeDatabase(memberDb), closeDatabase(newsDb)])
  await world.end()
})

const schemas = new Map([...events.values()].map(desc => [getOption(desc, eventOption).key, desc]))

/** Causes each event that the service publishes once. */
async function happenings(): Promise<void> {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ben = await world.person(workspaceId, [], 'Ben')
  const medias = [{ fileUrl: 'https://files.example/1.jpg', type: 'image' }]
  const fields = { title: 'All', content: body, workspaceId, medias }
  const long = { fileUrl: `https://files.example/${'x'.repeat(2_000)}`, type: 'image' }
  const { info } = await refusal(editor.pages.createPage({ ...fields, medias: Array(40).fill(long) }))
  assert.equal([info.status, info.violations[0]?.path], [400, 'medias'])
  const { page } = await editor.pages.createPage({ ...fields, status: 'published' })
  const pageId = page?.id ?? ''
  const { comment } = await ben.comments.createComment({ pageId, content: 'Hello' })
  await ben.likes.createLike({ pageId })
  const change = { title: 'New', excerpt: undefined, medias, enableComments: false, pageType: 'event' }
  const paths = ['title', 'medias', 'excerpt', 'enable_comments', 'page_type', 'content']
  const content = { text: `<span data-member="${ben.memberId}">@Ben</span>` }
  await editor.pages.updatePage({ id: pageId, ...change, content, updateMask: { paths } })
  const reworded = { content: 'Hello all', updateMask: { paths: ['content'] } }
  await ben.comments.updateComment({ id: comment?.id ?? '', ...reworded })
  await ben.comments.deleteComment({ id: comment?.id ?? '' })
  await ben.likes.deleteLike({ pageId })
  await editor.mustReads.setMustRead({ pageId, dueAt: timestampFromDate(new Date(Date.now() + 60_000)) })
  await editor.mustReads.remindReaders({ pageId })
  await nearDeadline(world, { pageId, workspaceId }, 1)
  await remindOfDeadlines({ db: newsDb, members: memberDirectory(memberDb), logFailure: () => {} })
  await editor.mustReads.removeMustRead({ pageId })
  await editor.pages.deletePage({ id: pageId })
}

test('every event has the declared envelope, payload and key, and is published on the bus', async () => {
  await happenings()
  const rows = await world.rows<{ subject: string; body: string }>('select subject, body from outbox')
  const validator = createValidator()
  const check = (schema: DescMessage, json: unknown) => {
    const result = validator.validate(schema, fromJson(schema, json as JsonValue))
    assert.is(result.kind, 'valid', result.error?.message)
  }
  const subjects = new Set<string>()
  for (const row of rows) {
    const schema = schemas.get(row.subject)
    assert.ok(schema, row.subject)
    const envelope = JSON.parse(row.body) as { type: string; payload: unknown }
    assert.is(envelope.type, schema && getOption(schema, eventOption).type)
    check(EnvelopeSchema, envelope)
    if (schema) check(schema, envelope.payload)
    subjects.add(row.subject)
  }
  assert.equal([...subjects].toSorted(), emitted.news, 'happenings() causes each event that the service emits')
  const unpublished = 'select count(*) as total from outbox where published_at is null'
  await eventually(async () => Number((await world.rows(unpublished))[0]?.['total']) === 0)
})

test('an audience too large for one message is split over several messages of one occurrence', () => {
  const receiverIds = Array.from({ length: mostReceivers + 1 }, (_, i) => i.toString(16).padStart(24, '0'))
  const actor = { id: 'system', name: 'system', type: 'system' as const }
  const parts = messagesFor({ workspaceId: '', actor, receiverIds }, ['socket'], 'one')
  assert.equal(
    parts.map(part => [part.receiverIds.length, part.occurrenceId]),
    [
      [mostReceivers, 'one'],
      [1, 'one'],
    ],
  )
  assert.is(messagesFor({ workspaceId: '', actor, receiverIds: [] }, ['socket'], 'one').length, 1)
})

test('the hand-encoded messages of a list equal the generated ones on the wire', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const { category } = await editor.categories.createCategory({ name: 'C', icon: '☕', workspaceId })
  const medias = [{ fileUrl: 'https://files.example/1.jpg', type: 'image' }]
  const fields = { title: 'T', content: body, workspaceId, categoryId: category?.id ?? '', medias, excerpt: 'E' }
  await editor.pages.createPage({ ...fields, status: 'published' })
  await editor.pages.createPage({ title: 'Bare', content: body, workspaceId })
  const answer = await editor.pages.listPages({ workspaceId })
  const decodedAnswer = fromBinary(ListPagesResponseSchema, toBinary(ListPagesResponseSchema, answer))
  assert.equal(toJson(ListPagesResponseSchema, decodedAnswer), toJson(ListPagesResponseSchema, answer))
})

test('data of members fetched before their change is not cached after the event', async () => {
  const workspaceId = await world.hotel('Old name')
  const { memberId } = await world.person(workspaceId, [], 'Old')
  const members = memberDirectory(memberDb)
  const lookups = [members.author(memberId), members.workspace(workspaceId), members.audience(workspaceId)]
  members.evict()
  await Promise.all(lookups)
  await sql`update members set first_name = 'New' where id = ${memberId}`.execute(memberDb)
  await sql`update workspaces set name = 'New name' where id = ${workspaceId}`.execute(memberDb)
  await sql`delete from workspace_members where workspace_id = ${workspaceId}`.execute(memberDb)
  assert.is((await members.author(memberId))?.firstName, 'New')
  assert.is((await members.workspace(workspaceId))?.name, 'New name')
  assert.equal(await members.audience(workspaceId), [])
})

test.run()
