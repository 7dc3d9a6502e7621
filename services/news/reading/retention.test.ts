import { assert } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { deleteExpired } from '../../kernel/database/retention.ts'
import { type NewsTables, tenantTables } from '../tables.ts'
import { keptViews } from './retention.ts'

const { test, world } = await newsSuite('retention of views')

test('views older than VIEWS_KEPT_DAYS are deleted; their count and who has seen the page stay', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ben = await world.person(workspaceId, [], 'Ben')
  const { page } = await editor.pages.createPage({ title: 'Brunch', content: body, workspaceId, status: 'published' })
  const id = page?.id ?? ''
  for (let i = 0; i < 3; i++) await ben.pages.getPage({ id })
  const views = () => world.rows('select id from page_views where page_id = ? order by id', [id])
  const [old] = await views()
  const longAgo = Math.floor(Date.now() / 1000 - 31 * 86_400).toString(16)
  await world.rows('update page_views set id = ? where id = ?', [longAgo + String(old?.['id']).slice(8), old?.['id']])

  const db = openDatabase<NewsTables>(world.host.databaseUrl('news'), { tables: tenantTables })
  await deleteExpired(db, [keptViews(db, 0)])
  assert.is((await views()).length, 3)
  await deleteExpired(db, [keptViews(db, 30)])
  await closeDatabase(db)
  assert.is((await views()).length, 2)
  const { page: seen } = await ben.pages.getPage({ id })
  assert.is(seen?.viewCount, 4)
  assert.is((await world.rows('select 1 from page_viewers where page_id = ?', [id])).length, 1)
  const [noted] = await world.rows("select deleted_rows from cleanings where table_name = 'page_views'")
  assert.is(Number(noted?.['deleted_rows']), 1)
})

test.run()
