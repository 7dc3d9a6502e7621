import type { Pool } from 'mysql2/promise'
import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { InvitationService } from '../../gen/platform/member/v1/invitations_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { searchText } from '../../services/member/hotel-memberships/copy.ts'
import { eventually, type TestHost } from './kit.ts'
import { waitsForLock } from './sql.ts'

export type TestPerson = { memberId: string; userId: string; email: string }
export type HotelWorld = { root: string; hotelId: string; workspaceId: string; admin: TestPerson }

let people = 0
/** An address that is unique in the test file. */
export const someAddress = () => `person${++people}@hotel.example`

/** Adds a person with an account to a workspace; `by` is the acting user's id. */
export async function addPerson(
  host: TestHost,
  { root, workspaceId }: Pick<HotelWorld, 'root' | 'workspaceId'>,
  role: string,
  fields: { superior?: string; firstName?: string; lastName?: string } = {},
): Promise<TestPerson> {
  const email = someAddress()
  const userId = newId()
  const { member } = await host
    .as(MemberService, root)
    .createMember({ firstName: 'Some', lastName: 'Body', ...fields, email, workspaceId, workspaceRole: role })
  await host.client(ProfileService).linkUser({ userId, email })
  return { memberId: member?.id ?? '', userId, email }
}

/** Adds a person of another hotel to a workspace: the platform administrator invites, and the person accepts. */
export async function comeInto(
  host: TestHost,
  { root, workspaceId }: Pick<HotelWorld, 'root' | 'workspaceId'>,
  { email, userId }: Pick<TestPerson, 'email' | 'userId'>,
  workspaceRole = 'viewer',
): Promise<void> {
  const { invitation } = await host.as(OnboardingService, root).invite({ email, workspaceId, workspaceRole })
  await acceptFor(host, invitation?.token, { email, userId })
}

/** Accepts an invitation as the authentication service does for an account, which may be invented. */
export const acceptFor = (host: TestHost, token = '', { email, userId }: Pick<TestPerson, 'email' | 'userId'>) =>
  host.client(InvitationService).acceptInvitationForUser({ token, userId, email })

/** A hotel with its workspace and an administrator, and the user id of a platform administrator. */
export async function openWorld(host: TestHost): Promise<HotelWorld> {
  const root = newId()
  await host
    .client(ProfileService)
    .ensurePlatformAdministrator({ email: someAddress(), firstName: 'Root', lastName: 'Admin', userId: root })
  const hotelId = newId()
  const { workspace } = await host.client(HotelWorkspaceService).createHotelWorkspace({ hotelId, name: 'Le Phare' })
  const workspaceId = workspace?.id ?? ''
  const admin = await addPerson(host, { root, workspaceId }, 'admin', { firstName: 'Ada', lastName: 'Chef' })
  return { root, hotelId, workspaceId, admin }
}

/**
 * Inserts people directly into the tables, with their counts.
 * @returns their ids
 */
export async function fillWorkspace(
  sql: Pick<Pool, 'query'>,
  workspaceId: string,
  count: number,
  nameOf: (index: number) => readonly string[],
  fieldsOf: (index: number) => { role?: string; status?: string; isActive?: number } = () => ({}),
): Promise<string[]> {
  const ids = Array.from({ length: count }, () => newId())
  for (let begin = 0; begin < count; begin += 1_000) {
    const part = ids.slice(begin, begin + 1_000).map((id, index) => {
      const [first_name = '', last_name = ''] = nameOf(begin + index)
      const email = `${id}@filled.example`
      return {
        id,
        first_name,
        last_name,
        email,
        ...{ role: 'member', status: 'active', isActive: 1 },
        ...fieldsOf(begin + index),
      }
    })
    await sql.query('insert into members (id, first_name, last_name, email, live_email, is_active) values ?', [
      part.map(one => [one.id, one.first_name, one.last_name, one.email, one.email, one.isActive]),
    ])
    const columns = 'workspace_id, member_id, workspace_role, status, permission_slugs, sort_last, sort_first'
    await sql.query(`insert into workspace_members (${columns}, search_text, member_active) values ?`, [
      part.map(one => [
        ...[workspaceId, one.id, one.role, one.status, '[]', one.last_name, one.first_name],
        ...[searchText(one), one.isActive],
      ]),
    ])
  }
  await sql.query('update workspaces set members_count = members_count + ? where id = ?', [count, workspaceId])
  return ids
}

/**
 * The result of a call that runs while another transaction has uncommitted changes. That one commits once the call
 * waits for it, or is over.
 */
export async function callDuringTransaction<T>(
  sql: Pool,
  changes: [text: string, values: unknown[]][],
  call: () => Promise<T>,
) {
  const connection = await sql.getConnection()
  try {
    await connection.beginTransaction()
    for (const [text, values] of changes) await connection.query(text, values)
    let isOver = false
    const outcome = Promise.allSettled([call().finally(() => (isOver = true))])
    await eventually(async () => isOver || (await waitsForLock(sql)))
    await connection.commit()
    return (await outcome)[0]
  } catch (error) {
    await connection.rollback()
    throw error
  } finally {
    connection.release()
  }
}

/** A time zone where it is between noon and one, so that no day or month ends while a test counts. */
export function zoneAtNoon(now = new Date()): string {
  const ahead = 12 - now.getUTCHours()
  // Names of this kind count westwards.
  return `Etc/GMT${ahead > 0 ? '-' : '+'}${Math.abs(ahead)}`
}

/** The cells of a CSV file: commas, doubled quotes, line breaks inside quotes. */
export function cellsOf(file: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of file
    .replace(/^\uFEFF/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r?\n|$)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '') break
    if (end !== ',') rows.push([])
  }
  return rows.filter(row => row.join('') !== '')
}
