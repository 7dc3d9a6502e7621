import { read, utils } from '@e965/xlsx'
import type { ExportReadersResponse } from '../../../gen/platform/news/v1/must_read_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { body, newsSuite } from '../../../test/kit/news.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, world } = await newsSuite('export of who has read a page')

async function fileOf(chunks: AsyncIterable<ExportReadersResponse>) {
  const parts: Uint8Array[] = []
  let name: string | undefined
  for await (const { chunk } of chunks) {
    name ??= chunk?.head?.fileName
    if (chunk) parts.push(chunk.data)
  }
  return { name, bytes: Buffer.concat(parts) }
}

test('readers are exported with name, team and time, and no text becomes a formula', async () => {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const [ben, eve] = [await world.person(workspaceId, [], '=1+1'), await world.person(workspaceId, [], 'Eve')]
  const teamId = newId()
  await world.members('insert into teams (id, workspace_id, name) values (?, ?, ?)', [
    teamId,
    workspaceId,
    '@Spa, sauna',
  ])
  await world.members('insert into team_members (team_id, member_id, workspace_id) values (?, ?, ?)', [
    teamId,
    ben.memberId,
    workspaceId,
  ])
  const fields = { title: 'Fire: 2', content: body, workspaceId, status: 'published' }
  const pageId = (await editor.pages.createPage(fields)).page?.id ?? ''
  assert.is((await refusal(fileOf(editor.mustReads.exportReaders({ pageId })))).info.status, 404)
  await editor.mustReads.setMustRead({ pageId })
  assert.is((await refusal(fileOf(eve.mustReads.exportReaders({ pageId })))).info.status, 403)
  await ben.pages.getPage({ id: pageId })
  await ben.mustReads.acknowledgePage({ pageId })
  await world.rows("update acknowledgements set created_at = '2031-07-01 10:00:00' where page_id = ?", [pageId])

  // An unknown time zone counts as the default one.
  const settings = JSON.stringify({ timezone: 'Mars/X' })
  await world.members('update workspaces set settings = ? where id = ?', [settings, workspaceId])
  await editor.sync.syncMembers({ workspaceId })
  const csv = await fileOf(editor.mustReads.exportReaders({ pageId }))
  assert.is(csv.name, 'readers-fire-2.csv')
  assert.equal(csv.bytes.toString().slice(1).split('\r\n'), [
    'lastName,firstName,teams,hasViewed,acknowledgedAt (Europe/Paris)',
    `Lind,'=1+1,"'@Spa, sauna",yes,2031-07-01 12:00:00`,
    'Lind,Eve,,no,',
    '',
  ])
  const xlsx = await fileOf(editor.mustReads.exportReaders({ pageId, format: 'xlsx' }))
  assert.is(xlsx.name, 'readers-fire-2.xlsx')
  const sheet = Object.values(read(xlsx.bytes).Sheets)[0] ?? {}
  assert.equal(utils.sheet_to_json(sheet, { header: 1, raw: true, defval: '' }).slice(1), [
    ['Lind', '=1+1', '@Spa, sauna', 'yes', '2031-07-01 12:00:00'],
    ['Lind', 'Eve', '', 'no', ''],
  ])
  assert.is(sheet['B2'].t, 's', 'a text cell')
})

test.run()
