import type { Kysely } from 'kysely'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { body, type NewsForTest, newsForTest } from '../../../test/kit/news.ts'
import { systemTenant } from '../../kernel/access/tenant.ts'
import { newId } from '../../kernel/base/ids.ts'
import { fold } from '../../kernel/base/texts/fold.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { type PageQuery, searchPages } from '../pages/list.sql.ts'
import { type NewsTables, tenantTables } from '../tables.ts'

const test = suite('search of pages')
let world: NewsForTest
let db: Kysely<NewsTables>
/** A hotel with more pages than a search sorts. */
let full: string

test.before(async () => {
  world = await newsForTest()
  db = openDatabase<NewsTables>(world.host.databaseUrl('news'), { tables: tenantTables })
  full = await world.hotel()
  await fill(full, (await world.person(full)).memberId, 2_400)
})
test.after(async () => {
  await closeDatabase(db)
  await world.end()
})

async function scene() {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const create = async (title: string, excerpt = '', fields: object = {}) =>
    (await editor.pages.createPage({ title, excerpt, content: body, workspaceId, status: 'published', ...fields })).page
      ?.id ?? ''
  const found = async (search: string, fields: object = {}) => {
    const { data, meta } = await editor.pages.listPages({ workspaceId, search, ...fields })
    assert.is(meta?.total, data.length)
    return data.map(page => page.title).toSorted()
  }
  return { workspaceId, editor, create, found }
}

test('a search ignores case and accents in any encoding, and takes all else literally', async () => {
  const { create, found } = await scene()
  await create('Cœur de Noël', 'Élégance à l’étage')
  await create('NOE\u0308L au chalet')
  await create('Straße 5', 'Ｆｕｌｌ width, soft\u00adhyphen')
  assert.equal(await found('noel'), ['Cœur de Noël', 'NOE\u0308L au chalet'])
  assert.equal(await found('NOËL'), ['Cœur de Noël', 'NOE\u0308L au chalet'])
  assert.equal(await found('coeur'), ['Cœur de Noël'])
  assert.equal(await found('ELEGANCE A'), ['Cœur de Noël'])
  assert.equal(await found('e\u0301tage'), ['Cœur de Noël'])
  assert.equal(await found('STRASSE'), ['Straße 5'])
  assert.equal(await found('full width'), ['Straße 5'])
  assert.equal(await found('softhyphen'), ['Straße 5'])
  assert.equal(await found('oël a'), ['NOE\u0308L au chalet'])
  // A search must not match across the end of the title, nor merely the same letters.
  assert.equal(await found('noël élé'), [])
  assert.equal(await found('leon'), [])
})

test('one or two characters are sufficient: letters, symbols, ideograms and emoji', async () => {
  const { create, found } = await scene()
  await create('Spa 🛁', 'q')
  await create('Bar 🍸 & co', '100%')
  await create('朝食のご案内')
  await create('Family 👨‍👩‍👧 day', 'a_b')
  assert.equal(await found('🛁'), ['Spa 🛁'])
  assert.equal(await found('🍸 &'), ['Bar 🍸 & co'])
  assert.equal(await found('👩'), ['Family 👨‍👩‍👧 day'])
  assert.equal(await found('🎉'), [])
  assert.equal(await found('朝'), ['朝食のご案内'])
  assert.equal(await found('案内'), ['朝食のご案内'])
  assert.equal(await found('q'), ['Spa 🛁'])
  assert.equal(await found('sp'), ['Spa 🛁'])
  assert.equal(await found('0%'), ['Bar 🍸 & co'])
  assert.equal(await found('%'), ['Bar 🍸 & co'])
  assert.equal(await found('_'), ['Family 👨‍👩‍👧 day'])
  assert.equal((await found('\u0301')).length, 4)
})

test('a search follows every change of a page: text, status, category, type, trash and restoration', async () => {
  const { workspaceId, editor, create, found } = await scene()
  const reader = await world.person(workspaceId)
  const { category } = await editor.categories.createCategory({ name: 'C', workspaceId })
  const categoryId = category?.id ?? ''
  const id = await create('Sunrise yoga', 'On the roof')
  const update = (fields: object, ...paths: string[]) =>
    editor.pages.updatePage({ id, ...fields, updateMask: { paths } })
  await update({ title: 'Sunset yoga', categoryId, pageType: 'event' }, 'title', 'category_id', 'page_type')
  assert.equal(
    [await found('sunrise'), await found('set yo'), await found('roof')],
    [[], ['Sunset yoga'], ['Sunset yoga']],
  )
  assert.equal(await found('sunset', { categoryId, pageType: 'event', status: 'published' }), ['Sunset yoga'])
  assert.equal(await found('sunset', { pageType: 'article' }), [])
  await update({}, 'excerpt')
  assert.equal(await found('roof'), [])
  await editor.categories.deleteCategory({ id: categoryId })
  assert.equal(await found('sunset', { categoryId }), [])
  const countVisible = async () => (await reader.pages.listPages({ workspaceId, search: 'sunset' })).meta?.total
  assert.is(await countVisible(), 1)
  await editor.pages.archivePage({ id })
  assert.equal([await countVisible(), await found('sunset', { status: 'archived' })], [0, ['Sunset yoga']])
  await editor.pages.unarchivePage({ id })
  await editor.pages.unpublishPage({ id })
  assert.equal([await countVisible(), await found('sunset', { status: 'draft' })], [0, ['Sunset yoga']])
  await editor.pages.publishPage({ id })
  await editor.pages.deletePage({ id })
  assert.equal([await countVisible(), await found('sunset')], [0, []])
  assert.is((await world.rows('select 1 from page_texts where page_id = ?', [id])).length, 0)
  await editor.pages.restorePage({ id })
  assert.equal([await countVisible(), await found('sunset')], [1, ['Sunset yoga']])
  assert.is((await world.host.client(PageService).recountPages({ workspaceId })).wrong, 0)
})

test('a search is limited to the hotel: matches of another one are not found and not counted', async () => {
  const [ownScene, otherScene] = [await scene(), await scene()]
  await ownScene.create('Same words')
  await otherScene.create('Same words')
  assert.equal([await ownScene.found('same'), await otherScene.found('words')], [['Same words'], ['Same words']])
})

/** Inserts pages directly; the service then repairs its counters and texts. */
async function fill(workspaceId: string, authorId: string, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, i) => {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + ((i * 7_919) % count) * 60_000)
    const status = i % 10 === 0 ? 'draft' : 'published'
    const title = `Page ${i}${i % 500 === 3 ? ' Rarité' : ''}`
    return [
      newId(),
      workspaceId,
      title,
      'Le petit déjeuner',
      'feed',
      authorId,
      '[]',
      status,
      createdAt,
      createdAt,
      createdAt,
      i % 50,
    ]
  })
  const columns =
    'id, workspace_id, title, excerpt, page_type, created_by_id, medias, status, published_at, created_at, updated_at, view_count'
  await world.rows(`insert into pages (${columns}) values ?`, [rows])
  await world.host.client(PageService).recountPages({ workspaceId, repair: true })
  await world.rows('analyze table pages, page_texts')
}

test('rare, frequent and medium terms return the same rows and totals as reading every page', async () => {
  const rows = await world.rows<Record<string, unknown>>('select * from pages where workspace_id = ?', [full])
  const tenant = systemTenant(full, newId(), 'searches')
  for (const search of ['rarite', 'déjeuner', 'page 1', '49', 'é', 'nowhere', 'déj nowhere'])
    for (const seesAll of [true, false])
      for (const [sort, ascending] of [
        ['published_at', false],
        ['view_count', true],
      ] as const) {
        const query: PageQuery = { seesAll, memberId: newId(), sort, ascending }
        const key = (row: Record<string, unknown>) => [Number(row[sort]), String(row['id'])] as const
        const expected = rows
          .filter(row => seesAll || row['status'] === 'published')
          .filter(row => [row['title'], row['excerpt']].some(text => fold(String(text)).includes(fold(search))))
          .toSorted((a, b) => {
            const [[x, i], [y, j]] = [key(a), key(b)]
            return (ascending ? 1 : -1) * (x - y || (i < j ? -1 : 1))
          })
          .map(row => row['id'])
        for (const offset of [0, 40, Math.max(0, expected.length - 5), expected.length + 20]) {
          const slice = { page: 1, limit: 20, offset }
          const result = await searchPages(db, tenant, { ...query, search }, slice)
          assert.is(result.total, expected.length, `${search} ${seesAll} ${sort}`)
          assert.equal(
            result.rows.map(row => row.id),
            expected.slice(offset, offset + 20),
            `${search} ${seesAll} ${sort} from ${offset}`,
          )
        }
      }
})

test('a recount finds missing and superfluous search entries, and repairs them', async () => {
  const { workspaceId, create, found } = await scene()
  const [a, b, c] = [await create('Alpha'), await create('Bravo'), await create('Charlie')]
  await world.rows('delete from page_texts where page_id = ?', [a])
  await world.rows("update page_texts set body = 'zulu\n', status = 'draft' where page_id = ?", [b])
  await world.rows('update pages set deleted_at = now() where id = ?', [c])
  const client = world.host.client(PageService)
  const before = await client.recountPages({ workspaceId })
  await client.recountPages({ workspaceId, repair: true })
  assert.ok(before.wrong >= 3)
  assert.is((await client.recountPages({ workspaceId })).wrong, 0)
  assert.equal([await found('alpha'), await found('bravo'), await found('zulu')], [['Alpha'], ['Bravo'], []])
  assert.equal(await found('charlie'), [])
})

test.run()
