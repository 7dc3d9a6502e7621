import { strict as assert } from 'node:assert'
import type { RestService } from '../../edge/catalogue.ts'
import { type Answer, call, type Json } from '../../cli/tour/client.ts'
import { addressOf, createHotel, expect, newWorld, signIn, takeUpInvitation, type World } from '../../cli/tour/world.ts'
import type { DescField } from '@bufbuild/protobuf'
import { Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { type Endpoint, forUsers, isOf } from './requests.ts'
import type { Known } from './minimal-body.ts'
import type { Platform } from './platform.ts'

export type Hotel = { workspace: string; ecosystem: string; token: string }

/** Two hotels with an administrator each, a viewer in the first, and somebody above both. */
export type TwoHotels = {
  world: World
  platform: Platform
  root: string
  ours: Hotel
  theirs: Hotel
  viewer: string
  apiKey: string
}

export async function twoHotels(platform: Platform): Promise<TwoHotels> {
  const world = newWorld({ ...platform, report: () => undefined })
  const root = await signIn(world, platform.administrator.email, platform.administrator.password)
  world.tokens.root = root
  const hotel = async (name: string, who: string): Promise<Hotel> => {
    const made = await createHotel(world, `${name} ${world.run}`, addressOf(world, who))
    const token = await takeUpInvitation(world, addressOf(world, who))
    return { workspace: String(made['workspace']), ecosystem: String(made['id']), token }
  }
  const ours = await hotel('Le Phare', 'ada')
  const theirs = await hotel('Autre', 'eve')
  const email = addressOf(world, 'vic')
  await expect(world, 201, 'member', 'POST', '/onboarding/invite', {
    token: ours.token,
    body: {
      email,
      firstName: 'Vic',
      lastName: 'View',
      workspaceId: ours.workspace,
      ecosystemId: ours.ecosystem,
      workspaceRole: 'viewer',
      permissions: [],
    },
  })
  const viewer = await takeUpInvitation(world, email)
  return { world, platform, root, ours, theirs, viewer, apiKey: String(platform.env['SERVICE_API_KEY']) }
}

/** The ids of a hotel wherever a request field names a tenant. */
export const idsOf =
  ({ workspace, ecosystem }: Hotel, { access }: Endpoint): Known =>
  (field: DescField) => {
    if (field.name === access.scopeField && access.scope === Scope.WORKSPACE) return workspace
    if (field.name === access.scopeField && access.scope === Scope.ECOSYSTEM) return ecosystem
    if (field.name === 'workspace_id') return workspace
    return field.name === 'ecosystem_id' || field.name === 'hotel_id' ? ecosystem : undefined
  }

/** Who passes the first door of a route: a hotel's administrator, the platform's, or nobody (undefined). */
export const callerFor = ({ ours, root }: TwoHotels, endpoint: Endpoint): string | undefined => {
  if (forUsers(endpoint)) return ours.token
  return isOf(endpoint, Scope.UNSPECIFIED) ? undefined : root
}

const create = async (
  hotels: TwoHotels,
  hotel: Hotel,
  service: RestService,
  path: string,
  body: object,
): Promise<Json> => {
  const answer = await call(hotels.world.urls, service, 'POST', path, { token: hotel.token, body })
  assert.equal(answer.status, 201, `POST ${path}: ${JSON.stringify(answer.body)}`)
  return answer.body
}

/** One record of every kind in a hotel: the id that a path beginning like this names. */
export async function recordsOf(hotels: TwoHotels, hotel: Hotel): Promise<[path: RegExp, id: string][]> {
  const workspaceId = hotel.workspace
  const make = async (service: RestService, path: string, body: object) =>
    String((await create(hotels, hotel, service, path, body))['id'])
  const title = 'Only for us'
  const category = await make('news', '/api/v1/categories', {
    name: 'Ours',
    slug: 'ours',
    description: 'x',
    icon: 'x',
    color: '#1E40AF',
    workspaceId,
    order: 1,
  })
  const page = await make('news', '/api/v1/pages', {
    title,
    content: {},
    excerpt: '',
    pageType: 'article',
    categoryId: category,
    workspaceId,
    status: 'draft',
  })
  await call(hotels.world.urls, 'news', 'POST', `/api/v1/pages/${page}/publish`, { token: hotel.token })
  const comment = await make('news', '/api/v1/comments', { pageId: page, content: title, parentId: null })
  const invited = await make('member', '/onboarding/invite', {
    email: `new.${workspaceId}@phare.example`,
    firstName: 'N',
    lastName: 'N',
    workspaceId,
    ecosystemId: hotel.ecosystem,
    workspaceRole: 'member',
    permissions: [],
  })
  const me: Answer = await call(hotels.world.urls, 'auth', 'GET', '/users/me', { token: hotel.token })
  const member = String(me.body['memberId'])
  const optional = async (service: RestService, path: string, body: object): Promise<string | undefined> => {
    const answer = await call(hotels.world.urls, service, 'POST', path, { token: hotel.token, body })
    return answer.status === 201 ? String(answer.body['id']) : undefined
  }
  const team = await optional('member', '/teams', { workspaceId, name: title })
  const department = await optional('member', '/departments', { workspaceId, name: title })
  const role = await optional('member', '/roles', { workspaceId, name: title, slug: 'ours-only' })
  const template = await optional('news', '/api/v1/templates', { workspaceId, name: title, content: {} })
  const credential = await optional('auth', '/ecosystem/credentials', {
    ecosystemId: hotel.ecosystem,
    name: title,
    permissions: [],
  })
  const known: [RegExp, string | undefined][] = [
    [/^\/api\/v1\/categories\/\{/, category],
    [/^\/api\/v1\/(pages|likes|polls|must-read|page-preferences|views|pins|analytics\/page)\b.*\{(id|page_id)\}/, page],
    [/^\/api\/v1\/comments\/page/, page],
    [/^\/api\/v1\/comments\/\{/, comment],
    [/^\/api\/v1\/templates\/\{/, template],
    [/^\/onboarding\/(cancel|resend)/, invited],
    [/^\/(members|settings\/member|export\/member)\b.*\{id\}/, member],
    [/^\/teams\b.*\{id\}/, team],
    [/^\/departments\b.*\{id\}/, department],
    [/^\/roles\/\{id\}/, role],
    [/^\/ecosystem\/credentials\/\{id\}/, credential],
  ]
  return known.filter((entry): entry is [RegExp, string] => entry[1] !== undefined)
}
