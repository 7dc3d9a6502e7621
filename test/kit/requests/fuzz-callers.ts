import { expect, password } from '../../../cli/tour/world.ts'
import type { Platform } from '../platform/platform.ts'
import { type HotelAccess, idsOf, type TwoHotels, twoHotels } from '../platform/two-hotels.ts'
import { exampleWorld } from './example-world.ts'
import type { Known } from './minimal-body.ts'
import { type Records, recordFor, recordsOf, type Subject } from './records.ts'

/** A sender of random requests. */
export type FuzzCaller = {
  name: string
  headers: Record<string, string>
  /** Values for fields, by what they name: mostly the caller's own hotel, otherwise the other one. */
  hotels: ((subject: Subject) => Known)[]
  /** Texts of the hotels that the caller must not see. */
  secrets: string[]
}

export type FuzzWorld = {
  callers: FuzzCaller[]
  /** Ids of both hotels for messages on the bus. */
  ids: Record<'workspace' | 'ecosystem' | 'member' | 'page', string>[]
}

/** Two new hotels with records whose texts name their hotel, and everybody who sends random requests. */
export async function fuzzWorld(platform: Platform): Promise<FuzzWorld> {
  const hotels = await twoHotels(platform)
  const { ownHotel, otherHotel, world, viewer, root, apiKey } = hotels
  const sides = await Promise.all([sideOf(hotels, ownHotel, 'ours'), sideOf(hotels, otherHotel, 'theirs')])
  const [own, other] = sides
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const email = `stranger.${world.run}@nowhere.example`
  const body = { email, password, firstName: 'Sam', lastName: 'Strange' }
  const stranger = String((await expect(world, 201, 'auth', 'POST', '/auth/register', { body }))['accessToken'])
  const both = sides.map(({ known }) => known)
  const callers: FuzzCaller[] = [
    {
      name: 'our administrator',
      headers: bearer(ownHotel.token),
      hotels: [own.known, ...both],
      secrets: other.secrets,
    },
    { name: 'our viewer', headers: bearer(viewer), hotels: [own.known, ...both], secrets: other.secrets },
    {
      name: 'their administrator',
      headers: bearer(otherHotel.token),
      hotels: [other.known, ...both],
      secrets: own.secrets,
    },
    { name: 'a stranger', headers: bearer(stranger), hotels: both, secrets: [...own.secrets, ...other.secrets] },
    { name: 'nobody', headers: {}, hotels: both, secrets: [...own.secrets, ...other.secrets] },
    { name: 'the platform', headers: bearer(root), hotels: both, secrets: [] },
    { name: 'a service', headers: { 'x-api-key': apiKey }, hotels: both, secrets: [] },
  ]
  return { callers, ids: sides.map(({ ids }) => ids) }
}

/** The records of one hotel, with a text that no request contains in all their names and texts. */
async function sideOf(hotels: TwoHotels, hotel: HotelAccess, name: string) {
  const mark = ` ${name}-${hotels.world.run}`
  const records: Records = await recordsOf(exampleWorld(hotels, hotel, mark))
  const known = (subject: Subject): Known => {
    const tenant = idsOf(hotel, subject)
    // A deletion must not remove what the other requests need.
    const spares = /^(?:Delete|Remove|Revoke|Suspend|Cancel|End|Erase|Reject|Archive)/.test(subject.route.method.name)
    return field => (spares ? undefined : (tenant(field) ?? recordFor(records, subject, field)))
  }
  const { member, page } = records
  return { known, secrets: [mark], ids: { workspace: hotel.workspace, ecosystem: hotel.ecosystem, member, page } }
}
