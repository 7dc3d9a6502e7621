import { strict as assert } from 'node:assert'
import type { RestService } from '../../gen/catalogue.ts'
import { type Call, call, endSession, invitationToken, type RouteAnswer, type Urls } from './client.ts'
import type { Socket } from './socket.ts'

/** The platform's addresses, its administrator, and the steps' results so far. */
export type World = {
  urls: Urls
  sandboxUrl: string
  administrator: { email: string; password: string }
  /** Called for every call and frame; the tour prints it. */
  report(line: string, detail?: unknown): void
  /** Makes the names and addresses of this run unique. */
  run: string
  tokens: Record<'root' | 'admin' | 'colleague' | 'stranger', string>
  /** Access tokens of all sessions that were opened. */
  sessions: string[]
  ids: Record<string, string>
  sockets: { news?: Socket; notification?: Socket }
}

/** Password of every person that the tour signs up. */
export const password = 'correct horse battery staple'

/** The state at the start of a run: no one is signed in, and its names are unique. */
export function newWorld(world: Pick<World, 'urls' | 'sandboxUrl' | 'administrator' | 'report'>): World {
  const run = Date.now().toString(36) + Math.floor(Math.random() * 1e6).toString(36)
  return {
    ...world,
    run,
    tokens: { root: '', admin: '', colleague: '', stranger: '' },
    sessions: [],
    ids: {},
    sockets: {},
  }
}

/** A person's e-mail address in this run. */
export const addressOf = (world: World, person: string): string => `${person}.${world.run}@phare.example`

/** A call that must answer with this status. */
export async function expect(
  world: World,
  status: number,
  service: RestService,
  method: string,
  path: string,
  options: Call = {},
): Promise<RouteAnswer['body']> {
  const answer = await call(world.urls, service, method, path, options)
  world.report(`${method} ${world.urls[service]}${path} → ${answer.status}`, answer.body)
  assert.equal(answer.status, status, `${method} ${path}: ${JSON.stringify(answer.body)}`)
  // A sign-up opens a session, too.
  if (answer.body?.['accessToken']) world.sessions.push(String(answer.body['accessToken']))
  return answer.body
}

/**
 * Signs a person in.
 * @returns the access token
 */
export async function signIn(world: World, email: string, secret: string): Promise<string> {
  const body = await expect(world, 200, 'auth', 'POST', '/auth/login', { body: { email, password: secret } })
  return String(body['accessToken'])
}

/** Ends every session that was opened. */
export async function signOut({ urls, sessions }: World): Promise<void> {
  for (const token of sessions) await endSession(urls, token).catch(() => undefined)
}

/** Does what an invited person does: signs up with the token of the invitation mail, accepts and signs in. */
export async function takeUpInvitation(world: World, email: string): Promise<string> {
  const token = await invitationToken(world.sandboxUrl, email)
  world.report(`invitation mail for ${email} in the sandbox inbox`)
  await expect(world, 201, 'auth', 'POST', '/users/signUp', { body: { token, password } })
  const access = await signIn(world, email, password)
  const acceptance = await expect(world, 200, 'member', 'POST', `/onboarding/accept/${token}`, {
    token: access,
    body: {},
  })
  assert.equal(acceptance['status'], 'accepted')
  return access
}

/** A hotel's address and the name of its type, which are unique, and its language, French by default. */
type HotelFacts = { email: string; type: string; language?: string }

/**
 * Creates a hotel with its type, settings and group; returns the answer of POST /hotel/add. Its facts are made up by
 * default.
 */
export async function createHotel(
  world: World,
  name: string,
  administrator: string,
  { email, type: typeName, language = 'fr' }: HotelFacts = {
    email: `contact.${world.run}@phare.example`,
    type: `resort ${name}`,
  },
): Promise<RouteAnswer['body']> {
  const token = world.tokens.root
  const add = (path: string, body: object) => expect(world, 201, 'hotel', 'POST', path, { token, body })
  const type = await add('/type/add', { name: typeName, description: 'By the sea', icon: '🏖️' })
  const setting = await add('/setting/add', {
    timezone: 'Europe/Paris',
    language,
    currency: 'EUR',
    check_in_time: '15:00',
    check_out_time: '11:00',
    enable_push: true,
    enable_email: true,
    primary_color: '#1E40AF',
    secondary_color: '#10B981',
  })
  const group = await add('/group/add', { name: `Groupe ${name}`, description: 'Hotels of the coast' })
  return add('/hotel/add', {
    name,
    address: '1 quai du Port',
    city: 'Marseille',
    country: 'France',
    phone: '+33 4 91 00 00 00',
    email,
    website: 'https://phare.example',
    groupId: group['id'],
    typeId: type['id'],
    settingId: setting['id'],
    administrator: { email: administrator, firstName: 'Ada', lastName: 'Chef' },
    subscription: { plan: 'premium' },
  })
}
