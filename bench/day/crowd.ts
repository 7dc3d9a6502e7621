import bcrypt from 'bcrypt'
import type { RowDataPacket } from 'mysql2/promise'
import { password } from '../../cli/tour/world.ts'
import { accessTokens } from '../../services/kernel/access/tokens.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Platform } from '../../test/kit/platform/platform.ts'
import { type Seeded, seed } from '../support/world.ts'

export type CrowdHotel = Seeded & { pageIds: string[] }

export type CrowdPerson = {
  memberId: string
  email: string
  token: string
  hotel: CrowdHotel
  /** Notifications that the last look into the inbox showed as unread. */
  unread: string[]
}

const hours = 4
const text = 'The spa opens again at nine, with the new pool and the sauna. '.repeat(20)
const content = { blocks: [{ type: 'paragraph', data: { text } }] }

/** Hotels with people who have accounts and are signed in, and with published pages. */
export async function gather(
  platform: Platform,
  hotels: number,
  people: number,
  pages: number,
): Promise<CrowdPerson[]> {
  const crowd: CrowdPerson[] = []
  const tokens = accessTokens([platform.env['JWT_ACCESS_SECRET'] ?? ''])
  const hash = await bcrypt.hash(password, 12)
  const [auth, member, news] = await Promise.all(
    ['AUTH', 'MEMBER', 'NEWS'].map(name => connectDatabase(platform.env[`${name}_DATABASE_URL`] ?? '')),
  )
  if (!auth || !member || !news) throw new Error('no databases')
  for (let index = 0; index < hotels; index++) {
    const seeded = await seed(platform, people, pages)
    const { workspaceId, hotelId, memberIds } = seeded
    const [rows] = await news.query<RowDataPacket[]>('select id from pages where workspace_id = ?', [workspaceId])
    const bodies = rows.map(({ id }) => [id, workspaceId, JSON.stringify(content)])
    await news.query('insert into page_bodies (page_id, workspace_id, content) values ?', [bodies])
    const hotel: CrowdHotel = { ...seeded, pageIds: rows.map(row => String(row['id'])) }
    for (let from = 0; from < people; from += 500) {
      const part = memberIds.slice(from, from + 500)
      const now = new Date()
      const accounts = part.map(id => [id, `${id}@bench.example`, hash, 1, now, now])
      const columns = 'id, email, password_hash, email_verified, created_at, updated_at'
      await auth.query(`insert into users (${columns}) values ?`, [accounts])
      // Their accounts have the ids of the members.
      await member.query('update members set user_id = id where id in (?)', [part])
      const belonging = part.map(id => [id, hotelId, '[]'])
      await member.query('insert into ecosystem_memberships (member_id, ecosystem_id, permissions) values ?', [
        belonging,
      ])
    }
    for (const memberId of memberIds) {
      const email = `${memberId}@bench.example`
      const nobody = { isAdmin: false, memberId: null, workspaceId: null, sessionId: null, roles: [], permissions: [] }
      const token = tokens.issue({ ...nobody, userId: memberId, email, kind: 'modern' }, hours * 3_600)
      crowd.push({ memberId, email, token, hotel, unread: [] })
    }
  }
  await Promise.all([auth, member, news].map(db => db.end()))
  return crowd
}
