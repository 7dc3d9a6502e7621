import { expect, password } from '../../../cli/tour/world.ts'
import type { Platform } from '../platform/platform.ts'
import { type HotelAccess, idsOf, type TwoHotels, twoHotels } from '../platform/two-hotels.ts'
import { exampleWorld } from './example-world.ts'
import type { ValueChoice } from './minimal-body.ts'
import { type Records, recordFor, recordsOf, type Subject } from './records.ts'

/** A sender of random requests. */
export type FuzzCaller = {
  name: string
  headers: Record<string, string>
  /** Values for fields, by what they name: mostly the caller's own hotel, otherwise the other one. */
  hotels: ((subject: Subject) => ValueChoice)[]
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
  const [ourSide, theirSide] = sides
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const email = `stranger.${world.run}@nowhere.example`
  const body = { email, password, firstName: 'Sam', lastName: 'Strange' }
  const stranger = String((await expect(world, 201, 'auth', 'POST', '/auth/register', { body }))['accessToken'])
  const choices = sides.map(({ choiceFor }) => choiceFor)
  const callers: FuzzCaller[] = [
    {
      name: 'our administrator',
      headers: bearer(ownHotel.token),
      hotels: [ourSide.choiceFor, ...choices],
      secrets: theirSide.secrets,
    },
    {
      name: 'our viewer',
      headers: bearer(viewer),
      hotels: [ourSide.choiceFor, ...choices],
      secrets: theirSide.secrets,
    },
    {
      name: 'their administrator',
      headers: bearer(otherHotel.token),
      hotels: [theirSide.choiceFor, ...choices],
      secrets: ourSide.secrets,
    },
    {
      name: 'a stranger',
      headers: bearer(stranger),
      hotels: choices,
      secrets: [...ourSide.secrets, ...theirSide.secrets],
    },
    { name: 'nobody', headers: {}, hotels: choices, secrets: [...ourSide.secrets, ...theirSide.secrets] },
    { name: 'the platform', headers: bearer(root), hotels: choices, secrets: [] },
    { name: 'a service', headers: { 'x-api-key': apiKey }, hotels: choices, secrets: [] },
  ]
  return { callers, ids: sides.map(({ ids }) => ids) }
}

/** The records of one hotel, with a text that no request contains in all their names and texts. */
async function sideOf(hotels: TwoHotels, hotel: HotelAccess, name: string) {
  const mark = ` ${name}-${hotels.world.run}`
  const records: Records = await recordsOf(exampleWorld(hotels, hotel, mark))
  const choiceFor = (subject: Subject): ValueChoice => {
    const tenant = idsOf(hotel, subject)
    // A deletion must not remove what the other requests need.
    const spares = /^(?:Delete|Remove|Revoke|Suspend|Cancel|End|Erase|Reject|Archive)/.test(subject.route.method.name)
    return field => (spares ? undefined : (tenant(field) ?? recordFor(records, subject, field)))
  }
  const { member, page } = records
  return { choiceFor, secrets: [mark], ids: { workspace: hotel.workspace, ecosystem: hotel.ecosystem, member, page } }
}
