import type { RowDataPacket } from 'mysql2/promise'
import { call, type LooseJson, type RouteAnswer } from '../../cli/tour/client.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { addressOf, expect, password, takeUpInvitation } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { testPool } from '../kit/sql.ts'

/** Erasure ends the account everywhere, with each service in its own process. */
const test = suite('erasure over HTTP')
let platform: Platform
let hotels: TwoHotels

test.before(async () => {
  platform = await sharedPlatform('split')
  hotels = await twoHotels(platform)
})

/** A signed-in member of our hotel. */
async function colleague(name: string) {
  const email = addressOf(hotels.world, name)
  const { workspace: workspaceId, token: by } = hotels.ownHotel
  const invitation = { email, firstName: name, lastName: 'Gone', workspaceId, workspaceRole: 'viewer', permissions: [] }
  await expect(hotels.world, 201, 'member', 'POST', '/onboarding/invite', { token: by, body: invitation })
  await takeUpInvitation(hotels.world, email)
  const body = { email, password }
  const signed = await expect(hotels.world, 200, 'auth', 'POST', '/auth/login', { body })
  const user = signed['user'] as LooseJson
  const [token, refreshToken] = [String(signed['accessToken']), String(signed['refreshToken'])]
  return { email, token, refreshToken, id: String(user['memberId']), userId: String(user['id']) }
}
type Colleague = Awaited<ReturnType<typeof colleague>>

const erase = (id: string, token: string, body?: object): Promise<RouteAnswer> =>
  call(platform.urls, 'member', 'DELETE', `/members/erase/${id}`, { token, ...(body ? { body } : {}) })
const statuses = async ({ email, token, refreshToken }: Colleague) => {
  const answers = await Promise.all([
    call(platform.urls, 'auth', 'GET', '/users/me', { token }),
    call(platform.urls, 'member', 'GET', '/workspaces/get/mine', { token }),
    call(platform.urls, 'notification', 'GET', '/api/v1/notifications', { token }),
    call(platform.urls, 'auth', 'POST', '/auth/refreshToken', { body: { refreshToken } }),
    call(platform.urls, 'auth', 'POST', '/auth/login', { body: { email, password } }),
  ])
  return answers.map(answer => answer.status)
}

test('people erase themselves with their password, and their account opens nothing afterwards', async () => {
  const zoe = await colleague('zoe')
  const device = {
    workspaceId: hotels.ownHotel.workspace,
    deviceToken: `t-${zoe.id}`,
    platform: 'fcm',
    deviceType: 'ios',
  }
  await expect(hotels.world, 201, 'notification', 'POST', '/api/v1/subscriptions', { token: zoe.token, body: device })
  const socket = await openSocket(platform.urls.notification, zoe.token)
  for (const [body, message] of [
    [undefined, 'is required to erase your own account'],
    [{}, 'is required to erase your own account'],
    [{ password: 'wrong horse 7' }, 'is wrong'],
  ] as const) {
    const { status, body: refusal } = await erase(zoe.id, zoe.token, body)
    assert.equal(
      [status, refusal['error']?.[0]?.['path'], refusal['error']?.[0]?.['message']],
      [400, 'password', message],
    )
  }
  await expect(hotels.world, 200, 'auth', 'GET', '/users/me', { token: zoe.token })
  assert.is((await erase(zoe.id, zoe.token, { password })).status, 200)
  assert.equal(await statuses(zoe), [401, 401, 401, 401, 401])
  assert.is(await socket.closed, 4401)
  const sql = testPool(platform.env['NOTIFICATION_DATABASE_URL'] ?? '')
  try {
    await eventually(async () => {
      const [rows] = await sql.query<RowDataPacket[]>('select id from subscriptions where member_id = ?', [zoe.id])
      return rows.length === 0
    })
  } finally {
    await sql.end()
  }
  // The address is free again, for an account unrelated to the former one.
  const body = { email: zoe.email, password: 'another horse 8' }
  const registration = await expect(hotels.world, 201, 'auth', 'POST', '/auth/register', { body })
  assert.is((registration['user'] as LooseJson)['memberId'], null)
})

test('an administrator erases without a password, both active and deleted members', async () => {
  const [activeMember, deletedMember] = [await colleague('yan'), await colleague('xia')]
  assert.is((await erase(activeMember.id, hotels.ownHotel.token)).status, 200)
  assert.equal(await statuses(activeMember), [401, 401, 401, 401, 401])
  const { token } = hotels.ownHotel
  await expect(hotels.world, 200, 'member', 'DELETE', `/members/delete/${deletedMember.id}`, { token })
  // A deleted member keeps their account, which belongs to no hotel, but is signed out.
  await expect(hotels.world, 401, 'auth', 'GET', '/users/me', { token: deletedMember.token })
  assert.is((await erase(deletedMember.id, token)).status, 200)
  assert.equal(await statuses(deletedMember), [401, 401, 401, 401, 401])
})

test('an account that ended in another way loses its owner’s data at the erasure', async () => {
  const wim = await colleague('wim')
  await expect(hotels.world, 200, 'auth', 'DELETE', '/users/me', { token: wim.token, body: { password } })
  const sql = testPool(platform.env['AUTH_DATABASE_URL'] ?? '')
  const rowOf = async () => {
    const columns = 'email, former_email, first_name, photo_url'
    const [rows] = await sql.query<RowDataPacket[]>(`select ${columns} from users where id = ?`, [wim.userId])
    return rows[0]
  }
  try {
    assert.is((await rowOf())?.['former_email'], wim.email)
    await eventually(async () => (await memberOf(wim.id))['isActive'] === false)
    assert.is((await erase(wim.id, hotels.ownHotel.token)).status, 200)
    await eventually(async () => (await rowOf())?.['former_email'] === null)
    assert.equal({ ...(await rowOf()) }, { email: null, former_email: null, first_name: null, photo_url: null })
  } finally {
    await sql.end()
  }
})

/** Places of the name or the address in every text column of a service's tables. */
async function traces(service: 'NEWS' | 'NOTIFICATION', words: string[]): Promise<string[]> {
  const sql = testPool(platform.env[`${service}_DATABASE_URL`] ?? '')
  try {
    // Events leave the outbox a day after their publication.
    const [columns] = await sql.query<RowDataPacket[]>(
      `select table_name as t, column_name as c from information_schema.columns
       where table_schema = database() and table_name <> 'outbox'
         and data_type in ('char', 'varchar', 'tinytext', 'text', 'mediumtext', 'longtext', 'json', 'varbinary', 'blob', 'mediumblob')`,
    )
    assert.ok(columns.length > 50)
    const matches: string[] = []
    for (const { t, c } of columns) {
      const any = words.map(() => `convert(\`${c}\` using utf8mb4) like ?`).join(' or ')
      const like = words.map(word => `%${word}%`)
      const [rows] = await sql.query<RowDataPacket[]>(
        `select \`${c}\` as value from \`${t}\` where ${any} limit 20`,
        like,
      )
      matches.push(...rows.map(row => `${service} ${t}.${c}: ${String(row['value']).slice(0, 300)}`))
    }
    return matches
  } finally {
    await sql.end()
  }
}

/** Tables of the news service whose rows of an erased member stay, and why; those of notifications have a test there. */
const keptTables = {
  acknowledgements: 'who has read a page is counted',
  comments: 'what everybody reads stays, without a name',
  comment_likes: 'others see how many there are',
  likes: 'others see how many there are',
  page_preferences: 'switches and no text',
  page_viewers: 'views are counted',
  page_views: 'views are counted',
  poll_votes: 'the result of a poll stays',
}

/** How many rows of a member each other table has that names members. */
async function countNewsRows(memberId: string): Promise<[table: string, rows: number][]> {
  const sql = testPool(platform.env['NEWS_DATABASE_URL'] ?? '')
  try {
    const [tables] = await sql.query<RowDataPacket[]>(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = database() and table_type = 'BASE TABLE' and column_name = 'member_id'`,
    )
    const names = tables.map(table => String(table['name']))
    assert.equal(
      Object.keys(keptTables).filter(name => !names.includes(name)),
      [],
    )
    const counts = names
      .filter(name => !(name in keptTables))
      .map(async (name): Promise<[string, number]> => {
        const [rows] = await sql.query(`select 1 from \`${name}\` where member_id = ?`, [memberId])
        return [name, (rows as RowDataPacket[]).length]
      })
    return await Promise.all(counts)
  } finally {
    await sql.end()
  }
}

test('no name or address of an erased member is left in news and notifications, and no row of theirs in other tables', async () => {
  const { workspace: workspaceId, token } = hotels.ownHotel
  const quetzal = await colleague('quetzal')
  const content = { blocks: [] }
  const page = { workspaceId, title: 'Menu', content, status: 'published', enableComments: true, enableLikes: true }
  const createdPage = await expect(hotels.world, 201, 'news', 'POST', '/api/v1/pages', { token, body: page })
  const pageId = String(createdPage['id'])
  const by = { token: quetzal.token }
  const posts = [
    ['/api/v1/comments', { pageId, content: 'Merci' }],
    ['/api/v1/likes', { pageId, reactionType: 'love' }],
  ] as const
  for (const [path, body] of posts) await expect(hotels.world, 201, 'news', 'POST', path, { ...by, body })
  const options = { token, body: { firstName: 'Quetzalli' } }
  await expect(hotels.world, 200, 'member', 'PATCH', `/members/update/${quetzal.id}`, options)
  const words = ['quetzal', quetzal.email]
  await eventually(async () => {
    const places = (await traces('NOTIFICATION', words)).join()
    return ['a commenté', 'a réagi', 'a rejoint', 'Quetzalli'].every(part => places.includes(part))
  })
  const howTo = 'delete it on platform.member.erased: docs/guides/add-a-consumer.md'
  for (const [table, rows] of await countNewsRows(quetzal.id))
    assert.ok(rows > 0, `${table}: write a row for quetzal, and ${howTo}`)
  assert.is((await erase(quetzal.id, token)).status, 200)
  await eventually(async () => {
    for (const [table, rows] of await countNewsRows(quetzal.id)) assert.is(rows, 0, `${table}: ${howTo}`)
    assert.equal([...(await traces('NEWS', words)), ...(await traces('NOTIFICATION', words))], [])
    return true
  })
  const inbox = await expect(hotels.world, 200, 'notification', 'GET', '/api/v1/notifications', { token })
  const titles = (inbox['data'] as LooseJson[]).map(each => String(each['title']))
  assert.ok(titles.includes("Quelqu'un a commenté «\u00a0Menu\u00a0»"), titles.join('\n'))
})

const memberOf = (id: string): Promise<LooseJson> =>
  expect(hotels.world, 200, 'member', 'GET', `/members/get/${id}`, { token: hotels.ownHotel.token })

test.run()
