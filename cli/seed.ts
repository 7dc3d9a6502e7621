import { type Environment, readSetting } from '../services/kernel/process/config.ts'
import type { Log } from '../services/kernel/process/log.ts'
import { isProduction } from '../services/kernel/process/mode.ts'
import { seedNews } from './demo/news.ts'
import { messageOf } from './stack/messages.ts'
import { call, endSession, type Urls } from './tour/client.ts'
import { createHotel, expect, newWorld, password, signIn, signOut, takeUpInvitation, type World } from './tour/world.ts'

type Login = { name: string; email: string; password: string }

/** The logins of the demonstration tenant, and why it could not be created. */
type Seeded = { logins: Login[]; problem?: string }

const staff = { admin: 'ada@demo.example', member: 'bo@demo.example' }

/**
 * Creates the demonstration tenant through the documented routes: a hotel, its administrator, a colleague and their
 * news. A second start finds it and only lists the logins.
 */
export async function seedDemo(env: Environment, urls: Urls, log: Log): Promise<Seeded> {
  const administrator = {
    email: readSetting(env, '', 'BOOTSTRAP_ADMIN_EMAIL') ?? '',
    password: readSetting(env, '', 'BOOTSTRAP_ADMIN_PASSWORD') ?? '',
  }
  const logins = [{ name: 'platform administrator', ...administrator }]
  if (readSetting(env, '', 'SEED_DEMO') !== 'true' || isProduction(env)) return { logins }
  const demo = [
    { name: 'hotel administrator', email: staff.admin, password },
    { name: 'hotel staff', email: staff.member, password },
  ]
  const staffSignIn = await call(urls, 'auth', 'POST', '/auth/login', { body: { email: staff.member, password } })
  if (staffSignIn.status !== 200) {
    const sandboxUrl = `http://127.0.0.1:${readSetting(env, '', 'SANDBOX_PORT') ?? 3010}`
    const world = newWorld({ urls, sandboxUrl, administrator, report: line => log.debug(line) })
    try {
      await seed(world)
    } catch (error) {
      log.error({ err: error }, 'demo tenant not created')
      return { logins, problem: messageOf(error) }
    } finally {
      await signOut(world)
    }
  } else await endSession(urls, String(staffSignIn.body['accessToken']))
  return { logins: [...logins, ...demo] }
}

async function seed(world: World): Promise<void> {
  world.tokens.root = await signIn(world, world.administrator.email, world.administrator.password)
  const hotel = await createHotel(world, 'Demo Hotel', staff.admin, {
    email: 'contact@demo.example',
    type: 'Seaside hotel',
    language: 'en',
  })
  const token = await takeUpInvitation(world, staff.admin)
  const workspaceId = hotel['workspace']
  await expect(world, 201, 'member', 'POST', '/onboarding/invite', {
    token,
    body: {
      email: staff.member,
      firstName: 'Bo',
      lastName: 'Bell',
      workspaceId,
      ecosystemId: hotel['id'],
      workspaceRole: 'member',
      permissions: [],
    },
  })
  const member = await takeUpInvitation(world, staff.member)
  await seedNews(world, { admin: token, member }, String(workspaceId))
}
