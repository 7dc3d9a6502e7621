import type { DescField } from '@bufbuild/protobuf'
import { addressOf, expect, takeUpInvitation, type World } from '../../../cli/tour/world.ts'
import { type Access, Scope } from '../../../gen/platform/options/v1/options_pb.ts'
import type { ValueChoice } from '../requests/minimal-body.ts'
import { type Endpoint, forUsers, isPublic } from '../requests/requests.ts'
import type { Platform } from './platform.ts'
import { houses } from './shared-person.ts'

export type HotelAccess = { workspace: string; ecosystem: string; token: string }

/** Two hotels with an administrator each, a viewer in the first, and a platform administrator. */
export type TwoHotels = {
  world: World
  platform: Platform
  root: string
  ownHotel: HotelAccess
  otherHotel: HotelAccess
  viewer: string
  apiKey: string
}

export async function twoHotels(platform: Platform): Promise<TwoHotels> {
  const { world, root, apiKey, house } = await houses(platform)
  const ownHotel = await house('Le Phare', 'ada')
  const otherHotel = await house('Autre', 'eve')
  const email = addressOf(world, 'vic')
  await expect(world, 201, 'member', 'POST', '/onboarding/invite', {
    token: ownHotel.token,
    body: {
      email,
      firstName: 'Vic',
      lastName: 'View',
      workspaceId: ownHotel.workspace,
      ecosystemId: ownHotel.ecosystem,
      workspaceRole: 'viewer',
      permissions: [],
    },
  })
  const viewer = await takeUpInvitation(world, email)
  return { world, platform, root, ownHotel, otherHotel, viewer, apiKey }
}

/** The ids of a hotel for every request field that names a tenant. */
export const idsOf =
  ({ workspace, ecosystem }: HotelAccess, { access }: { access: Access }): ValueChoice =>
  (field: DescField) => {
    if (field.name === access.scopeField && access.scope === Scope.WORKSPACE) return workspace
    if (field.name === access.scopeField && access.scope === Scope.ECOSYSTEM) return ecosystem
    if (field.name === 'workspace_id') return workspace
    return field.name === 'ecosystem_id' || field.name === 'hotel_id' ? ecosystem : undefined
  }

/** The caller who passes a route's access check: a hotel's administrator, the platform's, or none (undefined). */
export const callerFor = ({ ownHotel, root }: TwoHotels, endpoint: Endpoint): string | undefined => {
  if (forUsers(endpoint)) return ownHotel.token
  return isPublic(endpoint) ? undefined : root
}
