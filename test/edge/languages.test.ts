import { BulkService } from '../../gen/platform/member/v1/bulk_pb.ts'
import { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import { MemberSettingsService } from '../../gen/platform/member/v1/member_settings_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { ProfileService } from '../../gen/platform/member/v1/profiles_pb.ts'
import { service as auth } from '../../services/auth/service.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { service as member } from '../../services/member/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, startTestHost, suite, type TestHost } from '../kit/kit.ts'
import { freePorts } from '../kit/platform/ports.ts'
import { testPool } from '../kit/sql.ts'

/** The language of a new person, over REST, with both services in one process and with each in its own. */
const test = suite('the language of a new person')

type Stage = { people: TestHost; auth: string; end(): Promise<void> }

async function together(): Promise<Stage> {
  const { host, urls, end } = await startTestEdge([auth, member])
  return { people: host, auth: urls.auth, end }
}

async function apart(): Promise<Stage> {
  const [port = 0] = await freePorts(1)
  const people = await startTestHost([member], { MEMBER_RPC_PORT: `${port}` })
  const { JWT_ACCESS_SECRET, SERVICE_API_KEY } = people.env
  const sharedEnv = { JWT_ACCESS_SECRET, SERVICE_API_KEY, MEMBER_RPC_URL: `http://127.0.0.1:${port}` }
  const { urls, end } = await startTestEdge([auth], sharedEnv)
  return { people, auth: urls.auth, end: () => end().finally(() => people.end()) }
}

for (const [name, stage] of Object.entries({ together, apart }))
  test(`the hotel’s language comes first, then the browser’s, then French (${name})`, async () => {
    const { people, auth: url, end } = await stage()
    const root = newId()
    const chief = { email: 'root@platform.example', firstName: 'Root', lastName: 'Chief', userId: root }
    await people.client(ProfileService).ensurePlatformAdministrator(chief)
    const settings = people.as(MemberSettingsService, root)
    const languageOf = async (id: string) => (await settings.getMemberSettings({ id })).settings?.language
    const hotel = async (language?: string) => {
      const wish = { hotelId: newId(), name: 'Le Phare', ...(language ? { language } : {}) }
      return (await people.client(HotelWorkspaceService).createHotelWorkspace(wish)).workspace?.id ?? ''
    }
    /** Invites a person, who signs up with a browser in this language. */
    const signedUp = async (workspaceId: string, spoken?: string): Promise<string> => {
      const email = `${newId()}@hotel.example`
      const { invitation } = await people.as(OnboardingService, root).invite({ email, workspaceId })
      const answer = await fetch(`${url}/users/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(spoken ? { 'accept-language': spoken } : {}) },
        body: JSON.stringify({ token: invitation?.token, password: 'correct horse 7' }),
      })
      assert.is(answer.status, 201, await answer.clone().text())
      const { profile } = await people.client(ProfileService).getProfile({ email })
      return profile?.id ?? ''
    }
    try {
      const [english, plain] = [await hotel('en'), await hotel()]
      assert.is(await languageOf(await signedUp(english, 'fr-FR,fr')), 'en')
      assert.is(await languageOf(await signedUp(plain, 'en-GB,en;q=0.9,fr;q=0.8')), 'en')
      assert.is(await languageOf(await signedUp(plain, 'de')), 'fr')
      assert.is(await languageOf(await signedUp(plain)), 'fr')

      const members = people.as(MemberService, root)
      const names = { firstName: 'Bea', lastName: 'Roux' }
      const { member: createdMember } = await members.createMember({
        ...names,
        email: 'bea@hotel.example',
        workspaceId: english,
      })
      assert.is(await languageOf(createdMember?.id ?? ''), 'en')
      const rows = ['a', 'b'].map(at => ({ ...names, email: `${at}@hotel.example`, workspaceRole: 'viewer' }))
      const bulkResult = await people.as(BulkService, root).bulkAddMembers({ workspaceId: english, members: rows })
      for (const { memberId } of bulkResult.results) assert.is(await languageOf(memberId ?? ''), 'en')

      // A chosen language stays when the person joins another hotel.
      const personId = await signedUp(plain, 'en')
      await settings.updateMemberSettings({ id: personId, language: 'fr', updateMask: { paths: ['language'] } })
      const { email = '' } = (await people.client(ProfileService).getProfile({ memberId: personId })).profile ?? {}
      await members.createMember({ ...names, email, workspaceId: english })
      assert.is(await languageOf(personId), 'fr')

      // The invitation's mail is in the hotel's language as well.
      const sql = testPool(people.databaseUrl('member'))
      const [mails] = await sql.query(
        "select json_unquote(json_extract(body, '$.payload.language')) as language, json_unquote(json_extract(body, '$.payload.workspaceId')) as place from outbox where subject = 'member.onboarding'",
      )
      await sql.end()
      const spoken = (mails as { language: string | null; place: string }[]).map(one => [one.place, one.language])
      assert.ok(spoken.length >= 6)
      for (const [place, language] of spoken) assert.is(language === 'en', place === english, String(language))
    } finally {
      await end()
    }
  })

test.run()
