import { timestampNow } from '@bufbuild/protobuf/wkt'
import { createClient } from '@connectrpc/connect'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { CredentialService } from '../../../gen/platform/auth/v1/credentials_pb.ts'
import { SignInService as LegacySignIn } from '../../../gen/platform/legacyauth/v1/sign_in_pb.ts'
import { WorkspaceMemberService } from '../../../gen/platform/member/v1/workspace_members_pb.ts'
import { PageService } from '../../../gen/platform/news/v1/pages_pb.ts'
import { chief } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { body } from '../../../test/kit/news.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { closeDatabase, openDatabase } from '../../kernel/database/database.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { type DirectoryViews, memberDirectory } from '../members.ts'
import { service as news } from '../service.ts'
import { type NewsTables, tenantTables } from '../tables.ts'
import type { AskedServices } from './schedule-right.ts'
import { newScheduler } from './scheduler.ts'

const test = suite('right of a schedule')
const { host, root, hotelId, workspaceId, person } = await authWithMember(test, {}, [news])
const sql = testPool(host.databaseUrl('news'))
const members = testPool(host.databaseUrl('member'))
test.after(async () => {
  await Promise.all([sql.end(), members.end()])
})

type Scheduler = {
  accessToken: string
  id: string
  userId: string
  credentialId?: string
  headers?: Record<string, string>
}

/** Somebody who may make credentials. */
async function administrator() {
  const member = await person(undefined, { workspaceRole: 'admin' })
  await members.query("update ecosystem_memberships set role = 'admin' where member_id = ?", [member.id])
  host.rights.evict()
  return member
}

async function credential(owner: Scheduler, permissions = ['publish_content']): Promise<Scheduler> {
  const credentials = host.bearing(CredentialService, owner.accessToken)
  const answer = await credentials.createCredential({ ecosystemId: hotelId, permissions })
  return {
    ...owner,
    credentialId: answer.id,
    headers: { 'x-api-key': answer.apiKey, 'x-api-secret': answer.apiSecret },
  }
}

const holder = (...permissions: string[]) => person(undefined, { permissions })
const publisher = () => holder('publish_content')
const rootAs = (accessToken: string): Scheduler => ({ accessToken, id: '', userId: '' })

/** Callers who may schedule. */
const schedulers: Record<string, () => Promise<Scheduler>> = {
  'a holder of publish_content': publisher,
  'a platform administrator': async () => rootAs(root),
  'a legacy Administrator': async () => rootAs((await host.as(LegacySignIn).loginAsAdmin(chief)).accessToken),
  'a credential': async () => credential(await administrator()),
  'the credential of a platform administrator': () => credential(rootAs(root)),
}

/** What ends the right to publish between the schedule and its time. */
const endings: Record<string, [() => Promise<Scheduler>, (scheduler: Scheduler) => Promise<unknown>]> = {
  'its scheduler lost publish_content': [
    publisher,
    ({ id: memberId }) =>
      host.bearing(WorkspaceMemberService, root).updateWorkspaceMember({
        workspaceId,
        memberId,
        permissions: [],
        updateMask: { paths: ['permissions'] },
      }),
  ],
  'its scheduler left': [
    publisher,
    ({ id: memberId }) => host.bearing(WorkspaceMemberService, root).removeWorkspaceMember({ workspaceId, memberId }),
  ],
  'the account of its scheduler ended': [
    publisher,
    ({ userId }) => host.client(AccountService).deactivateUsers({ userIds: [userId] }),
  ],
  'its credential was revoked': [
    async () => credential(await administrator()),
    ({ credentialId = '' }) => host.bearing(CredentialService, root).revokeCredential({ id: credentialId }),
  ],
  'the owner of its credential lost the right': [
    async () => credential(await administrator()),
    ({ id: memberId }) =>
      host.bearing(WorkspaceMemberService, root).updateWorkspaceMember({
        workspaceId,
        memberId,
        workspaceRole: 'viewer',
        updateMask: { paths: ['workspace_role'] },
      }),
  ],
}

const pagesOf = ({ accessToken }: { accessToken: string }) => host.bearing(PageService, accessToken)

async function draft(author: { accessToken: string }): Promise<string> {
  const { page } = await pagesOf(author).createPage({ title: 'Due', content: body, workspaceId })
  return page?.id ?? ''
}

/** Schedules a page for the next run; the service's own scheduler runs once a minute. */
async function schedule(id: string, by: Scheduler): Promise<void> {
  const request = { id, scheduledAt: timestampNow() }
  if (!by.headers) await pagesOf(by).schedulePage(request)
  else await createClient(PageService, host.transport(PageService)).schedulePage(request, { headers: by.headers })
}

/** Runs a scheduler once. */
async function run(services: Partial<AskedServices> = {}): Promise<void> {
  const db = openDatabase<NewsTables>(host.databaseUrl('news'), { tables: tenantTables })
  const memberDb = openDatabase<DirectoryViews>(host.databaseUrl('member'))
  const scheduler = newScheduler({ ...host, ...services, db, members: memberDirectory(memberDb), log: silentLog })
  await scheduler.run()
  await scheduler.stop()
  await Promise.all([closeDatabase(db), closeDatabase(memberDb)])
}

async function stateOf(id: string) {
  const { page } = await pagesOf({ accessToken: root }).getPage({ id, withoutView: true })
  return [page?.status, page?.scheduledAt === undefined, page?.scheduleRefusal]
}

const publishedState = ['published', true, undefined]
const refusedState = ['draft', true, 'Scheduled by someone who may no longer publish it']

for (const [schedulerName, make] of Object.entries(schedulers))
  test(`a page scheduled by ${schedulerName} is published while they may publish`, async () => {
    const id = await draft(await holder('create_content'))
    await schedule(id, await make())
    await run()
    assert.equal(await stateOf(id), publishedState)
  })

for (const [ending, [make, end]] of Object.entries(endings))
  test(`a page is refused with a reason for its editors once ${ending}`, async () => {
    const author = await holder('create_content', 'publish_content')
    const id = await draft(author)
    const scheduler = await make()
    await schedule(id, scheduler)
    await end(scheduler)
    await run()
    assert.equal(await stateOf(id), refusedState)
    assert.is((await pagesOf(author).getPage({ id })).page?.scheduleRefusal, refusedState[2])
    const [rows] = await sql.query("select 1 from outbox where body like '%page.created%' and body like ?", [`%${id}%`])
    assert.equal(rows, [])
    await schedule(id, author)
    assert.is((await pagesOf(author).getPage({ id })).page?.scheduleRefusal, undefined)
    await run()
    assert.equal(await stateOf(id), publishedState)
  })

test('a schedule of an older version asks for the right of the author', async () => {
  const authors = [await holder('create_content'), await holder('create_content', 'publish_content')]
  const ids = await Promise.all(authors.map(draft))
  await sql.query('update pages set scheduled_at = now(3) - interval 1 second where id in (?)', [ids])
  await run()
  assert.equal(await Promise.all(ids.map(stateOf)), [refusedState, publishedState])
})

test('a deleted page that is restored keeps its schedule, and its scheduler is asked when it is due', async () => {
  const keeper = await holder('create_content', 'delete_content', 'edit_content')
  const pair = [await publisher(), await publisher()]
  const ids = await Promise.all(pair.map(() => draft(keeper)))
  for (const [index, id] of ids.entries()) await schedule(id, pair[index] as Scheduler)
  for (const id of ids) await pagesOf(keeper).deletePage({ id })
  const { id: memberId } = pair[0] as Scheduler
  await host.bearing(WorkspaceMemberService, root).removeWorkspaceMember({ workspaceId, memberId })
  for (const id of ids) await pagesOf(keeper).restorePage({ id })
  await run()
  assert.equal(await Promise.all(ids.map(stateOf)), [refusedState, publishedState])
})

test('while rights, accounts or credentials cannot be asked the page waits', async () => {
  const unreachable = async () => {
    throw new ServiceUnavailableError()
  }
  const id = await draft(await holder('create_content'))
  await schedule(id, await credential(await administrator()))
  const unreachableServices: Partial<AskedServices>[] = [
    { rights: { ...host.rights, ofUser: unreachable } },
    { accounts: { ...host.accounts, isValid: unreachable } },
    { client: () => ({ checkCredential: unreachable }) as never },
  ]
  for (const services of unreachableServices) {
    await sql.query('update pages set publish_retry_at = null where id = ?', [id])
    await run(services)
    assert.equal(await stateOf(id), ['draft', false, undefined])
  }
  const [[row]] = (await sql.query('select publish_failures from pages where id = ?', [id])) as never as [
    [{ publish_failures: number }],
  ]
  assert.is(row.publish_failures, 3)
})

test('a page scheduled again by somebody else while the right was asked is left to the next run', async () => {
  const id = await draft(await holder('create_content'))
  await schedule(id, await publisher())
  const [other, later] = [await publisher(), timestampNow()]
  const isValid: AskedServices['accounts']['isValid'] = async claims => {
    await pagesOf(other).schedulePage({ id, scheduledAt: later })
    return host.accounts.isValid(claims)
  }
  await run({ accounts: { ...host.accounts, isValid } })
  assert.equal(await stateOf(id), ['draft', false, undefined])
  await run()
  assert.equal(await stateOf(id), publishedState)
})

test.run()
