import type { RouteAnswer } from '../../../cli/tour/client.ts'
import { call } from '../../../cli/tour/client.ts'
import {
  addressOf,
  createHotel,
  expect,
  newWorld,
  signIn,
  takeUpInvitation,
  type World,
} from '../../../cli/tour/world.ts'
import type { Platform } from './platform.ts'

/** A hotel with its administrator. */
export type House = { workspace: string; ecosystem: string; name: string; token: string }

/** A person with an account: address, member id and token. */
export type SharedPerson = { email: string; id: string; token: string }

export type Houses = {
  world: World
  root: string
  apiKey: string
  house(name: string, administrator: string): Promise<House>
  /** Invites a new person to a workspace of a house, who signs up and accepts. */
  settle(
    house: House,
    person: string,
    names: [string, string],
    workspace?: string,
    role?: string,
  ): Promise<SharedPerson>
  /** Makes a person with an account accept a house's invitation. */
  accept(person: SharedPerson, token: string): Promise<void>
  member: (method: string, path: string, token: string | undefined, body?: unknown) => Promise<RouteAnswer>
}

/** Hotels of one platform over HTTP, with people who may work in several of them. */
export async function houses(platform: Platform): Promise<Houses> {
  const world = newWorld({ ...platform, report: () => undefined })
  const root = await signIn(world, platform.administrator.email, platform.administrator.password)
  world.tokens.root = root
  const member: Houses['member'] = (method, path, token, body) =>
    call(world.urls, 'member', method, path, { token, ...(body === undefined ? {} : { body }) })
  return {
    world,
    root,
    apiKey: String(platform.env['SERVICE_API_KEY']),
    member,
    async house(name, administrator) {
      const hotel = await createHotel(world, `${name} ${world.run}`, addressOf(world, administrator))
      const token = await takeUpInvitation(world, addressOf(world, administrator))
      return {
        workspace: String(hotel['workspace']),
        ecosystem: String(hotel['id']),
        name: `${name} ${world.run}`,
        token,
      }
    },
    async settle(house, person, [firstName, lastName], workspace = house.workspace, role = 'viewer') {
      const email = addressOf(world, person)
      const body = { email, firstName, lastName, workspaceId: workspace, workspaceRole: role }
      const newMember = await expect(world, 201, 'member', 'POST', '/members/', { token: house.token, body })
      const token = await takeUpInvitation(world, email)
      return { email, id: String(newMember['id']), token }
    },
    async accept(person, token) {
      await expect(world, 200, 'member', 'POST', `/onboarding/accept/${token}`, { token: person.token, body: {} })
    },
  }
}
