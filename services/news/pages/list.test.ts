import { getOption } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, laterOn, newsSuite } from '../../../test/kit/news.ts'
import { connectWithPlans, sortsIn } from '../../../test/kit/plans.ts'
import { readWhileChanging } from '../../../test/kit/writes/cursors.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { NewsTables } from '../tables.ts'
import { orderOf, type PageQuery, pageStatements } from './list.sql.ts'

const { test, world } = await newsSuite('list of pages')
const { db, plansOf } = connectWithPlans<NewsTables>(world.host.databaseUrl('news'))
test.after(() => db.destroy())

const types = ['feed', 'article', 'event', 'poll']

/** The values that the contract allows a parameter of the list. */
function allowedValues(name: string): string[] {
  const field = PageService.method.listPages.input.fields.find(one => one.name === name)
  const type = field && getOption(field, rulesOption).type
  if (type?.case !== 'string') throw new Error(`${name} has no values`)
  return type.value.in
}

/** Inserts many pages directly; the service then repairs its counters. */
async function fill(workspaceId: string, authorId: string, count: number, categories: string[]): Promise<string[]> {
  const rows = Array.from({ length: count }, (_, i) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + i * 60_000)
    const status = i % 10 === 0 ? 'draft' : 'published'
    const publishedAt = status === 'published' ? createdAt : null
    const category = categories[i % (categories.length + 1)] ?? null
    return [
      newId(),
      workspaceId,
      `Page ${i}`,
      types[i % 4],
      category,
      authorId,
      '[]',
      status,
      publishedAt,
      createdAt,
      createdAt,
      (i * 7) % 100,
    ]
  })
  const columns =
    'id, workspace_id, title, page_type, category_id, created_by_id, medias, status, published_at, created_at, updated_at, like_count'
  await world.rows(`insert into pages (${columns}) values ?`, [rows])
  await world.rows('analyze table pages')
  await world.host.client(PageService).recountPages({ workspaceId, repair: true })
  return rows.map(([id]) => String(id))
}

test('returns 20 pages, the latest publication first, with author, category, pin and exact total', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const { category } = await editor.categories.createCategory({
    name: 'Spa',
    icon: '🛁',
    color: '#AABBCC',
    workspaceId,
  })
  const create = async (title: string, fields: object = {}) => {
    await laterOn()
    return editor.pages.createPage({ title, content: body, workspaceId, status: 'published', ...fields })
  }
  for (let i = 1; i <= 21; i++) await create(`Page ${i}`)
  const { page } = await create('Latest', { categoryId: category?.id ?? '', excerpt: 'In short' })
  await editor.pins.createPin({ pageId: page?.id ?? '', workspaceId })
  const { data, meta } = await editor.pages.listPages({ workspaceId })
  assert.equal([meta?.total, meta?.page, meta?.limit, meta?.totalPages], [22, 1, 20, 2])
  assert.is(data.length, 20)
  const [first, second] = data
  assert.equal(
    [first?.title, first?.excerpt, first?.isPinned, first?.createdBy?.firstName],
    ['Latest', 'In short', true, 'Edith'],
  )
  assert.equal([first?.category?.name, first?.category?.icon, first?.category?.color], ['Spa', '🛁', '#AABBCC'])
  assert.equal([second?.title, second?.isPinned, second?.category], ['Page 21', false, undefined])
  const last = await editor.pages.listPages({ workspaceId, page: 2 })
  assert.equal(
    last.data.map(one => one.title),
    ['Page 2', 'Page 1'],
  )
  const beyond = await editor.pages.listPages({ workspaceId, page: 9 })
  assert.equal([beyond.data.length, beyond.meta?.total], [0, 22])
  assert.is((await editor.pages.listPages({ workspaceId, limit: 5000 })).meta?.limit, 100)
  assert.is((await refusal(editor.pages.listPages({ workspaceId, page: 0 }))).info.status, 400)
  assert.is((await refusal(editor.pages.listPages({ workspaceId: 'nonsense' }))).info.status, 400)
})

test('every filter and sort, alone and combined, returns exact rows and totals', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const author = await world.person(workspaceId, ['create_content'])
  const reader = await world.person(workspaceId)
  const [a, b] = await Promise.all(
    ['A', 'B'].map(async name => (await editor.categories.createCategory({ name, workspaceId })).category?.id ?? ''),
  )
  await fill(workspaceId, author.memberId, 240, [a ?? '', b ?? ''])
  const rows = await world.rows<Record<string, unknown>>('select * from pages where workspace_id = ?', [workspaceId])
  const people = [
    { who: editor, sees: () => true },
    { who: author, sees: () => true },
    { who: reader, sees: (row: Record<string, unknown>) => row['status'] === 'published' },
  ]
  const { fields } = PageService.method.listPages.input
  assert.equal(
    fields.map(({ name }) => name).filter(name => !['workspace_id', 'page', 'limit', 'cursor'].includes(name)),
    ['page_type', 'category_id', 'status', 'search', 'sort_by', 'sort_order', 'unread', 'scheduled'],
  )
  for (const { who, sees } of people)
    for (const status of [undefined, ...allowedValues('status')])
      for (const pageType of [undefined, 'event'])
        for (const categoryId of [undefined, a]) {
          const filters = Object.fromEntries(
            Object.entries({ status, pageType, categoryId }).filter(([, value]) => value !== undefined),
          )
          const expected = rows.filter(
            row =>
              sees(row) &&
              (!status || row['status'] === status) &&
              (!pageType || row['page_type'] === pageType) &&
              (!categoryId || row['category_id'] === categoryId),
          )
          const { data, meta } = await who.pages.listPages({ workspaceId, limit: 100, ...filters })
          assert.is(meta?.total, expected.length, JSON.stringify(filters))
          assert.is(data.length, Math.min(100, expected.length))
          const searched = await who.pages.listPages({ workspaceId, search: 'PAGE', ...filters })
          assert.is(searched.meta?.total, expected.length)
        }
  for (const sortBy of allowedValues('sort_by'))
    for (const sortOrder of allowedValues('sort_order')) {
      const pages = await Promise.all(
        [1, 2, 3, 4].map(page => editor.pages.listPages({ workspaceId, page, limit: 60, sortBy, sortOrder })),
      )
      const sign = sortOrder === 'asc' ? 1 : -1
      const column = sortBy.replace(/[A-Z]/, letter => `_${letter.toLowerCase()}`)
      // Drafts have no publication date and come by creation.
      const keyOf = (row: Record<string, unknown>) =>
        [Number(row[column]), column === 'published_at' ? Number(row['created_at']) : 0, String(row['id'])] as const
      const expected = rows
        .map(keyOf)
        .toSorted(([x, born, i], [y, other, j]) => sign * (x - y || born - other || (i < j ? -1 : 1)))
      assert.equal(
        pages.flatMap(answer => answer.data.map(one => one.id)),
        expected.map(([, , id]) => id),
      )
    }
})

test('scheduled pages are listed soonest first with their number, to those who may see them', async () => {
  const workspaceId = await world.hotel()
  const [editor, author] = [await world.editor(workspaceId), await world.person(workspaceId, ['create_content'])]
  const inHours = (hours: number) => timestampFromDate(new Date(Date.now() + hours * 3_600_000))
  const create = async (caller: typeof author, title: string) =>
    (await caller.pages.createPage({ title, content: body, workspaceId })).page?.id ?? ''
  await create(editor, 'A draft')
  for (const [title, hours] of [
    ['Later', 3],
    ['Soon', 1],
    ['Sooner than later', 2],
  ] as const) {
    await laterOn()
    await editor.pages.schedulePage({ id: await create(editor, title), scheduledAt: inHours(hours) })
  }
  const titles = async (caller: typeof author, filters: object = {}) => {
    const { data, meta } = await caller.pages.listPages({ workspaceId, scheduled: true, ...filters })
    return [data.map(one => one.title), meta?.total]
  }
  assert.equal(await titles(editor), [['Soon', 'Sooner than later', 'Later'], 3])
  assert.equal(await titles(editor, { page: 2, limit: 2 }), [['Later'], 3])
  assert.equal(await titles(editor, { search: 'LATER' }), [['Sooner than later', 'Later'], 2])
  assert.equal(await titles(editor, { sortBy: 'createdAt' }), [['Sooner than later', 'Soon', 'Later'], 3])
  assert.equal(await titles(editor, { status: 'published' }), [[], 0])
  assert.equal(await titles(author), [[], 0])
  assert.equal(await titles(editor, { scheduled: false, status: 'draft', limit: 1, sortBy: 'createdAt' }), [
    ['Sooner than later'],
    4,
  ])
})

test('a search in title and excerpt takes %, _ and \\ literally and ignores case and accents', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  for (const [title, excerpt] of [
    ['100% coton', 'linge'],
    ['100 lits', "Café d'été"],
    ['a_b \\ c', ''],
  ])
    await editor.pages.createPage({ title: title ?? '', excerpt: excerpt ?? '', content: body, workspaceId })
  const searchTitles = async (search: string) => {
    const { data, meta } = await editor.pages.listPages({ workspaceId, search })
    assert.is(meta?.total, data.length)
    return data.map(page => page.title)
  }
  assert.equal(await searchTitles('100%'), ['100% coton'])
  assert.equal(await searchTitles('_'), ['a_b \\ c'])
  assert.equal(await searchTitles('\\'), ['a_b \\ c'])
  assert.equal(await searchTitles("CAFE D'ETE"), ['100 lits'])
  assert.equal(await searchTitles(':status'), [])
  const slices: [page: number, limit: number, rows: number][] = [
    [1, 1, 1],
    [1, 2, 2],
    [1, 3, 2],
    [2, 1, 1],
    [3, 1, 0],
  ]
  for (const [page, limit, rows] of slices) {
    const { data, meta } = await editor.pages.listPages({ workspaceId, search: '100', page, limit })
    assert.equal([data.length, meta?.total], [rows, 2])
  }
})

test('frequent lists are read from an index in order without sorting, and far pages from the index alone', async () => {
  const workspaceId = await world.hotel()
  const author = await world.person(workspaceId)
  const { category } = await (await world.editor(workspaceId)).categories.createCategory({ name: 'C', workspaceId })
  const categoryIds = Array.from({ length: 30 }, () => newId())
  await fill(workspaceId, author.memberId, 4000, [category?.id ?? '', ...categoryIds])
  const tenant = systemTenant(workspaceId, newId(), 'looks at plans')
  const hot: PageQuery = { seesAll: false, memberId: newId(), sort: 'published_at', ascending: false }
  const planOf = async (query: Partial<PageQuery>, offset = 0) => {
    const { rows, total } = pageStatements(db, tenant, { ...hot, ...query }, { page: 1, limit: 20, offset })
    const [rowsPlan = [], totalPlan = []] = await plansOf(async () => {
      await db.executeQuery(rows)
      await db.executeQuery(total)
    })
    return { rows: rowsPlan, total: totalPlan }
  }
  const cases: [Partial<PageQuery>, string[]][] = [
    [{}, ['pages_published']],
    [{ seesAll: true }, ['pages_published']],
    [{ status: 'published' }, ['pages_status_published', 'pages_published']],
    [{ seesAll: true, status: 'published' }, ['pages_status_published', 'pages_published']],
    [{ ascending: true }, ['pages_published']],
    [{ sort: 'created_at' }, ['pages_created']],
    [{ sort: 'view_count' }, ['pages_viewed']],
    [{ sort: 'like_count' }, ['pages_liked']],
    [{ categoryId: category?.id }, ['pages_category']],
    [{ pageType: 'poll' }, ['pages_type']],
    [{ pageType: 'feed', categoryId: category?.id }, ['pages_type_category', 'pages_category']],
    [
      { seesAll: true, status: 'published', pageType: 'feed', categoryId: category?.id },
      ['pages_type_category', 'pages_category'],
    ],
  ]
  for (const [query, indexes] of cases) {
    const plan = await planOf(query)
    const pages = plan.rows.find(row => row.table === 'p')
    assert.ok(indexes.includes(String(pages?.key)), `${JSON.stringify(query)} uses ${String(pages?.key)}`)
    assert.is(sortsIn(plan.rows), false)
    assert.is(plan.total[0]?.key, 'PRIMARY')
  }
  const byEach = await planOf({ status: 'published', unreadBy: newId() })
  assert.match(String(byEach.rows.find(row => row.table === 'p')?.key), /^pages_(status_)?published$/)
  assert.match(String(byEach.total.find(row => row.table === 'p')?.Extra), /Using index/)
  for (const plan of [byEach.rows, byEach.total]) {
    assert.is(plan.find(row => row.table === 'w')?.key, 'PRIMARY')
    assert.is(sortsIn(plan), false)
  }
  const editors: PageQuery = { ...hot, seesAll: true }
  const queries: PageQuery[] = [
    ...[editors, { ...editors, ascending: true }, { ...editors, sort: 'created_at' as const }],
    { ...hot, status: 'published' },
  ]
  for (const query of queries) {
    const page = { page: 2, limit: 20, offset: 0, order: orderOf(query) }
    const createdAt = new Date(Date.UTC(2026, 0, 2))
    for (const publishedAt of [createdAt, null]) {
      const after = [...(query.sort === 'created_at' ? [] : [publishedAt]), createdAt, newId()]
      const [plan = []] = await plansOf(() =>
        db.executeQuery(pageStatements(db, tenant, query, { ...page, after }).rows),
      )
      const pages = plan.find(row => row.table === 'p')
      assert.match(String(pages?.key), /^pages_(status_)?(published|created)$/, JSON.stringify(plan))
      // The unpublished pages at the end of the list are few, and may be sorted.
      if (publishedAt) assert.is(sortsIn(plan), false, JSON.stringify(plan))
    }
  }
  const deepPlan = await planOf({}, 3000)
  const inner = deepPlan.rows.find(row => row.key === 'pages_published')
  assert.match(String(inner?.Extra), /Using index/)
})

test('drafts, which have no publication date, are ordered by creation, then id, in both directions', async () => {
  const workspaceId = await world.hotel()
  const writer = await world.editor(workspaceId)
  const ids: string[] = []
  for (const title of ['A', 'B', 'C', 'D'])
    ids.push((await writer.pages.createPage({ title, content: body, workspaceId })).page?.id ?? '')
  // Ids made within a second are unordered; the last two pages were created at the same time.
  const dates = ['2026-03-04', '2026-03-02', '2026-03-01', '2026-03-01']
  for (const [index, id] of ids.entries())
    await world.rows('update pages set created_at = ? where id = ?', [dates[index], id])
  const [third = '', fourth = ''] = ids.slice(2).toSorted()
  const rising = [third, fourth, ids[1], ids[0]]
  for (const search of [undefined, 'e']) {
    if (search) await world.rows('update page_texts set body = ? where workspace_id = ?', ['eeee', workspaceId])
    for (const [sortOrder, order] of [
      ['asc', rising],
      ['desc', rising.toReversed()],
    ] as const) {
      const { data } = await writer.pages.listPages({ workspaceId, sortOrder, ...(search ? { search } : {}) })
      assert.equal(
        data.map(({ id }) => id),
        order,
        `${sortOrder} ${search}`,
      )
    }
  }
})

test('a thousand pages are read by cursors while others are published and deleted: none twice, none missed', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  for (const sortOrder of ['asc', 'desc']) {
    const ids = await fill(workspaceId, editor.memberId, 1_000, [])
    await readWhileChanging({
      ids,
      async load(cursor) {
        const { data, meta } = await editor.pages.listPages({ workspaceId, sortOrder, limit: 100, cursor })
        return { ids: data.map(({ id }) => id), nextCursor: meta?.nextCursor }
      },
      // The oldest rows of the list, with a draft.
      insert: () => fill(workspaceId, editor.memberId, 2, []),
      remove: removedIds => world.rows('update pages set deleted_at = now(3) where id in (?)', [removedIds]),
    })
  }
})

test('a cursor counts its pages, ends with the list, and is refused beside a page and in another order', async () => {
  const workspaceId = await world.hotel()
  const { pages, memberId } = await world.editor(workspaceId)
  await fill(workspaceId, memberId, 4, [])
  const first = await pages.listPages({ workspaceId, limit: 2 })
  const cursor = first.meta?.nextCursor ?? ''
  const second = await pages.listPages({ workspaceId, limit: 2, cursor })
  assert.equal([second.data.length, second.meta?.page, second.meta?.total], [2, 2, 4])
  assert.is(second.meta?.nextCursor, undefined)
  assert.is((await pages.listPages({ workspaceId, limit: 2, page: 2 })).meta?.nextCursor, undefined)
  const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[]
  const ofNulls = parts.map((part, index) => (index < 2 ? part : null))
  const forged = Buffer.from(JSON.stringify(ofNulls)).toString('base64url')
  const refusedCursors = [{ cursor: 'bm90' }, { cursor: '\u00e9' }, { cursor: forged }]
  for (const request of [{ cursor, page: 2 }, { cursor, sortOrder: 'asc' }, ...refusedCursors])
    assert.is((await refusal(pages.listPages({ workspaceId, ...request }))).info.status, 400, JSON.stringify(request))
})

test.run()
