import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { newId } from '../kernel/ids.ts'
import type { TestHost } from '../kernel/testing.ts'

export type Person = { memberId: string; userId: string; email: string }
export type World = { root: string; hotelId: string; workspaceId: string; admin: Person }

let people = 0
/** An address that nobody else in the test file has. */
export const someAddress = () => `person${++people}@hotel.example`

/** Puts somebody with an account into a workspace; `by` is the user id of who does it. */
export async function addPerson(
  host: TestHost,
  { root, workspaceId }: Pick<World, 'root' | 'workspaceId'>,
  role: string,
  more: { superior?: string; firstName?: string; lastName?: string } = {},
): Promise<Person> {
  const email = someAddress()
  const userId = newId()
  const { member } = await host
    .as(MemberService, root)
    .createMember({ firstName: 'Some', lastName: 'Body', ...more, email, workspaceId, workspaceRole: role })
  await host.client(ProfileService).linkUser({ userId, email })
  return { memberId: member?.id ?? '', userId, email }
}

/** A hotel with its workspace and an administrator, and the user id of a platform administrator. */
export async function openWorld(host: TestHost): Promise<World> {
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
