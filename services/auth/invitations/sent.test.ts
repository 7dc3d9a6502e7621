import type { RowDataPacket } from 'mysql2/promise'
import { InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import { OnboardingService } from '../../../gen/platform/member/v1/onboarding_pb.ts'
import { password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { openWorld, someAddress } from '../../../test/kit/member.ts'
import { testPool } from '../../../test/kit/sql.ts'
import { cipher } from '../../kernel/base/secrets.ts'

const test = suite('sent invitations')
const { host, anonymous, asUser } = await authWithMember(test)
const sql = testPool(host.databaseUrl('member'))
const world = await openWorld(host)
const { workspaceId } = world
const onboarding = (userId: string) => asUser(userId).onboarding

test.after(() => sql.end())

/** A person with an account who has accepted an invitation to the workspace. */
async function join(workspaceRole: string, { workspaceId, root } = world) {
  const email = someAddress()
  const { invitation } = await onboarding(root).invite({ email, workspaceId, workspaceRole })
  const { user, accessToken } = await anonymous.users.signUp({ token: invitation?.token ?? '', password })
  const claims = host.tokens.verify(accessToken)
  return { email, userId: user?.id ?? '', invitations: host.as(InvitationService, user?.id ?? '', claims) }
}

test('an invitation renewed or cancelled through the member service is shown so, and revoked only while pending', async () => {
  const { userId, invitations } = await join('admin')
  const email = someAddress()
  const { invitation } = await invitations.sendInvitation({ email, role: 'member', workspaceId })
  const id = invitation?.id ?? ''
  assert.equal(
    [invitation?.invitedBy, invitation?.email, invitation?.role, invitation?.workspaceId, invitation?.isUsed],
    [userId, email, 'member', workspaceId, false],
  )
  const findInvitation = async (status?: string) =>
    (await invitations.listInvitations(status ? { status } : {})).data.find(one => one.id === id)
  const { token, ...listedInvitation } = invitation ?? {}
  assert.ok(token)
  assert.equal(await findInvitation('pending'), listedInvitation)
  const renewed = await invitations.sendInvitation({ email, role: 'viewer', workspaceId })
  assert.equal([renewed.invitation?.id, renewed.invitation?.role], [id, 'viewer'])
  await sql.query('update onboardings set expires_at = now(3) where id = ?', [id])
  assert.is((await findInvitation('expired'))?.status, 'expired')
  assert.is((await refusal(invitations.revokeInvitation({ id }))).info.status, 410)
  await onboarding(userId).resendInvitation({ id })
  assert.is((await findInvitation('pending'))?.status, 'pending')
  await onboarding(userId).cancelInvitation({ id })
  assert.is((await findInvitation('revoked'))?.status, 'revoked')
  assert.is((await refusal(invitations.revokeInvitation({ id }))).info.status, 409)
})

test('an invitation that a registered person accepts is shown as accepted', async () => {
  const inviter = await join('admin')
  const other = await join('viewer', await openWorld(host))
  const { invitation } = await inviter.invitations.sendInvitation({ email: other.email, role: 'viewer', workspaceId })
  const id = invitation?.id ?? ''
  // The renewal reveals the token to the test.
  const renewed = await onboarding(inviter.userId).resendInvitation({ id })
  const accepting = host.as(OnboardingService, other.userId, { email: other.email })
  await accepting.acceptInvitation({ token: renewed.invitation?.token ?? '' })
  const { data } = await inviter.invitations.listInvitations({ status: 'accepted' })
  assert.equal(
    data.map(one => [one.id, one.isUsed]),
    [[id, true]],
  )
  assert.is((await refusal(inviter.invitations.revokeInvitation({ id }))).info.status, 409)
})

/** The token of the mailed link, which no answer shows. */
async function mailedToken(id: string): Promise<string> {
  const [rows] = await sql.query<RowDataPacket[]>(
    "select body from outbox where subject like '%onboarding' order by position",
  )
  const events = rows.map(row => (JSON.parse(String(row['body'])) as { payload: Record<string, string> }).payload)
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const link = links.open(events.findLast(payload => payload['id'] === id)?.['sealedLink'] ?? '') ?? ''
  return new URLSearchParams(link.split('?')[1]).get('token') ?? ''
}

test('the mailed link proves the mailbox, and the token that its sender got does not [D521]', async () => {
  const inviter = await join('admin')
  const invite = async () => {
    const email = someAddress()
    const { invitation } = await inviter.invitations.sendInvitation({ email, role: 'viewer', workspaceId })
    return { email, token: invitation?.token ?? '', mailed: await mailedToken(invitation?.id ?? '') }
  }
  const [guest, otherGuest] = [await invite(), await invite()]
  const { invitations, users } = anonymous
  assert.match(guest.mailed, new RegExp(`^${guest.token}\\.[0-9a-f]{32}$`))
  const preview = await invitations.previewInvitation({ token: guest.mailed })
  assert.equal([preview.email, preview.status, preview.role], [guest.email, 'pending', 'viewer'])
  assert.ok(preview.hotelName && preview.inviterName && preview.expiresAt)
  const forged = `${otherGuest.token}.${guest.mailed.split('.')[1]}`
  for (const token of [forged, `${otherGuest.mailed}.x`, `${otherGuest.token}.`, 'unknown']) {
    assert.is((await refusal(invitations.acceptInvitation({ token, password }))).info.status, 404)
    assert.is((await refusal(invitations.previewInvitation({ token }))).info.status, 404)
  }
  const verified = async (token: string) => (await users.signUp({ token, password })).user?.emailVerified
  assert.equal([await verified(guest.mailed), await verified(otherGuest.token)], [true, false])
  const statusOf = async (token: string) => (await invitations.previewInvitation({ token })).status
  assert.is(await statusOf(guest.mailed), 'accepted')
  const { invitation } = await inviter.invitations.sendInvitation({ email: someAddress(), role: 'viewer', workspaceId })
  await inviter.invitations.revokeInvitation({ id: invitation?.id ?? '' })
  assert.is(await statusOf(invitation?.token ?? ''), 'revoked')
})

test('an unconfirmed account joins by the mailed link although other hotels have added its address', async () => {
  const inviter = await join('admin')
  const other = await openWorld(host)
  const email = someAddress()
  const place = { workspaceId: other.workspaceId, workspaceRole: 'viewer' }
  await asUser(other.root).members.createMember({ firstName: 'A', lastName: 'B', email, ...place })
  const { invitation } = await inviter.invitations.sendInvitation({ email, role: 'viewer', workspaceId })
  const { user, accessToken } = await anonymous.signIn.register({ email, password })
  const guest = host.as(InvitationService, user?.id ?? '', host.tokens.verify(accessToken))
  const bare = await refusal(guest.acceptInvitation({ token: invitation?.token ?? '' }))
  assert.is(bare.info.status, 409)
  const accepted = await guest.acceptInvitation({ token: await mailedToken(invitation?.id ?? '') })
  assert.is(accepted.user?.emailVerified, true)
})

test('only the sender revokes an invitation', async () => {
  const [first, second] = [await join('admin'), await join('admin')]
  const { invitation } = await first.invitations.sendInvitation({ email: someAddress(), role: 'viewer', workspaceId })
  const id = invitation?.id ?? ''
  assert.is((await refusal(second.invitations.revokeInvitation({ id }))).info.status, 404)
  await first.invitations.revokeInvitation({ id })
  assert.is((await first.invitations.listInvitations({ status: 'revoked' })).meta?.total, 1)
  assert.is((await second.invitations.listInvitations({})).meta?.total, 0)
})

test.run()
