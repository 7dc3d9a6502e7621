import { getOption } from '@bufbuild/protobuf'
import type { CallOptions } from '@connectrpc/connect'
import { rest } from '../../gen/platform/options/v1/options_pb.ts'
import { rpcsOfPackage } from '../../test/contract/descriptors.ts'
import { assert, eventually, refusal } from '../../test/kit/kit.ts'
import { body, newsSuite } from '../../test/kit/news.ts'
import { newId } from '../kernel/base/ids.ts'

const { test, world } = await newsSuite('repeated creating requests')
const workspaceId = await world.hotel()
const editor = await world.editor(workspaceId)
const page = { title: 'Page', content: body, workspaceId, status: 'published' }
const pageId = (await editor.pages.createPage(page)).page?.id ?? ''
const templateId = (await editor.templates.createTemplate({ name: 'T', content: body, workspaceId })).template?.id ?? ''

type Call = (isChanged: boolean, options: CallOptions) => Promise<{ id?: string }>

/** Drops the difference between absent and undefined, which the wire doesn't carry. */
const plain = (message: object): unknown =>
  JSON.parse(JSON.stringify(message, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))

/** Each creating RPC: the table it writes to, and its call, with a body or another one, which returns an id. */
const routes: Record<string, [table: string, call: Call]> = {
  CreatePage: [
    'pages',
    async (isChanged, options) =>
      (await editor.pages.createPage({ title: isChanged ? 'B' : 'A', content: body, workspaceId }, options)).page ?? {},
  ],
  CreatePageFromTemplate: [
    'pages',
    async (isChanged, options) =>
      (await editor.pages.createPageFromTemplate({ templateId, title: isChanged ? 'B' : 'A' }, options)).page ?? {},
  ],
  CreateComment: [
    'comments',
    async (isChanged, options) =>
      (await editor.comments.createComment({ pageId, content: isChanged ? 'B' : 'A' }, options)).comment ?? {},
  ],
  CreateLike: [
    'likes',
    (isChanged, options) => editor.likes.createLike({ pageId, reactionType: isChanged ? 'wow' : 'sad' }, options),
  ],
  CreateCategory: [
    'categories',
    async (isChanged, options) =>
      (await editor.categories.createCategory({ name: isChanged ? 'B' : 'A', workspaceId }, options)).category ?? {},
  ],
  CreateTemplate: [
    'templates',
    async (isChanged, options) =>
      (await editor.templates.createTemplate({ name: isChanged ? 'B' : 'A', content: body, workspaceId }, options))
        .template ?? {},
  ],
  CreatePin: [
    'pins',
    async (isChanged, options) =>
      (await editor.pins.createPin({ pageId, workspaceId, order: isChanged ? 2 : 1 }, options)).pin ?? {},
  ],
}

test('every RPC with status 201 is in `routes`', async () => {
  const creating = (await rpcsOfPackage('platform.news.v1')).filter(rpc => getOption(rpc, rest).status === 201)
  assert.equal(
    creating.map(({ name }) => name).toSorted(),
    Object.keys(routes).toSorted(),
    'Add a new RPC with status 201 to `routes`.',
  )
})

for (const [name, [table, call]] of Object.entries(routes))
  test(`${name}, repeated with its key, returns the first answer and creates nothing, and another request is a 422`, async () => {
    const count = async () => Number((await world.rows(`select count(*) as n from ${table}`))[0]?.['n'])
    const options = { headers: { 'idempotency-key': newId() } }
    const first = await call(false, options)
    assert.ok(first.id)
    const [before, events] = [await count(), (await world.rows('select 1 from outbox')).length]
    assert.equal(plain(await call(false, options)), plain(first))
    assert.equal([await count(), (await world.rows('select 1 from outbox')).length], [before, events])
    assert.is((await refusal(call(true, options))).info.status, 422)
    assert.is(await count(), before)
  })

test('a request repeated while the first one runs is a 409', async () => {
  const options = { headers: { 'idempotency-key': newId() } }
  const comment = routes['CreateComment']?.[1]
  if (!comment) return assert.unreachable()
  const countRunning = async () => (await world.rows('select 1 from idempotency_keys where answer is null')).length
  const before = await countRunning()
  await world.rows('set transaction isolation level read committed')
  await world.rows('start transaction')
  try {
    await world.rows('select id from pages where id = ? for update', [pageId])
    const first = comment(false, options)
    await eventually(async () => (await countRunning()) > before)
    assert.is((await refusal(comment(false, options))).info.status, 409)
    await world.rows('commit')
    const answer = await first
    assert.equal(plain(await comment(false, options)), plain(answer))
  } finally {
    await world.rows('rollback')
  }
})

test.run()
