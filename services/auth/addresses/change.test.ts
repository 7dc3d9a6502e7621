import { newPassword, password } from '../../../test/kit/auth/auth.ts'
import { authWithMember } from '../../../test/kit/auth/with-member.ts'
import { assert, eventually, refusal, statusOf, suite } from '../../../test/kit/kit.ts'
import { someAddress } from '../../../test/kit/member.ts'
import { testPool, waitsForLock } from '../../../test/kit/sql.ts'

const test = suite('addresses of members')
const {
  host,
  mailbox,
  root,
  workspaceId,
  openHotel,
  invite,
  person: invitePerson,
  mailTo,
  tokenTo,
  anonymous,
  asService,
  withToken,
} = await authWithMember(test, { ANONYMOUS_LIMIT: '1000' })
async function person() {
  const invitee = await invitePerson()
  await withToken(invitee.accessToken).signIn.verifyEmail({ token: await tokenTo(invitee.email) })
  return invitee
}

const change = (id: string, email: string) =>
  withToken(root).members.updateMember({ id, email, updateMask: { paths: ['email'] } })
const confirm = async (address: string) => anonymous.signIn.verifyEmail({ token: await tokenTo(address) })
/** Responses of both versions to sign-ins with these addresses. */
async function signIns(...emails: string[]): Promise<number[]> {
  const statuses = []
  for (const email of emails) {
    statuses.push(await statusOf(anonymous.signIn.login({ email, password })))
    statuses.push(await statusOf(anonymous.legacySignIn.login({ type: 'mobile', email, password })))
  }
  return statuses
}

test('a member with a changed address signs in with the old one until the new one is confirmed, in both versions', async () => {
  const { email, id, accessToken } = await person()
  const next = someAddress()
  const { member: changedMember } = await change(id, next)
  assert.equal([changedMember?.email, changedMember?.pendingEmail], [email, next])
  const mail = await mailTo(email, 'email_changing')
  assert.equal([mail.variables['oldEmail'], mail.variables['email']], [email, next])
  assert.equal(Object.keys(mail.variables).includes('token'), false)
  assert.equal(await signIns(email, next), [200, 200, 401, 401])
  assert.is((await confirm(next)).emailVerified, true)
  assert.equal(await signIns(email, next), [401, 401, 200, 200])
  const { user } = await withToken(accessToken).users.getMe({})
  assert.equal([user?.email, user?.emailVerified, user?.memberId], [next, true, id])
  assert.is(await statusOf(confirm(next)), 400)
})

test('a second change replaces the first, and a change back to the current address cancels it', async () => {
  const { email, id } = await person()
  const [first, second] = [someAddress(), someAddress()]
  await change(id, first)
  await mailTo(first)
  await change(id, second)
  assert.is(await statusOf(confirm(first)), 400)
  await change(id, email)
  assert.is(await statusOf(confirm(second)), 400)
  assert.equal(await signIns(email), [200, 200])
  await change(id, second)
  const firstMail = await mailTo(second, 'verify_email')
  const latest = await eventually(async () => {
    const mails = mailbox.mails.filter(one => one.to === second && one.slug === 'verify_email')
    return mails.length === 2 ? mails[1] : undefined
  })
  assert.ok(firstMail)
  await anonymous.signIn.verifyEmail({ token: latest.variables['token'] ?? '' })
  assert.equal(await signIns(email, second), [401, 401, 200, 200])
})

test('while a new address waits for the account, the member isn’t locked, so that no two calls wait for each other', async () => {
  const { id, email } = await person()
  const [accounts, members] = [testPool(host.databaseUrl('auth')), testPool(host.databaseUrl('member'))]
  const holder = await accounts.getConnection()
  try {
    await holder.beginTransaction()
    await holder.query('select id from users where email = ? for update', [email])
    const changeStatus = statusOf(change(id, someAddress()))
    await eventually(() => waitsForLock(accounts))
    // Fails when the row is locked.
    await members.query('select id from members where id = ? for update nowait', [id])
    await holder.rollback()
    assert.is(await changeStatus, 200)
  } finally {
    holder.release()
    await Promise.all([accounts.end(), members.end()])
  }
})

test('an address of another member or account is a 409 when requested or confirmed, and changes nothing', async () => {
  const [one, other] = [await person(), await person()]
  assert.is((await refusal(change(one.id, other.email))).info.status, 409)
  const registeredEmail = someAddress()
  await anonymous.signIn.register({ email: registeredEmail, password: newPassword })
  const chiefs = withToken(root).members
  assert.is((await refusal(change(one.id, registeredEmail))).info.status, 409)
  assert.is((await chiefs.getMember({ id: one.id })).member?.email, one.email)
  const lateEmail = someAddress()
  await change(one.id, lateEmail)
  await mailTo(lateEmail, 'verify_email')
  const { accessToken } = await anonymous.signIn.register({ email: lateEmail, password: newPassword })
  const link = mailbox.mails.find(mail => mail.to === lateEmail && mail.slug === 'verify_email')
  const openLink = () => anonymous.signIn.verifyEmail({ token: link?.variables['token'] ?? '' })
  assert.is((await refusal(openLink())).info.status, 409)
  assert.equal(await signIns(one.email), [200, 200])
  // Once the other account has freed the address, the same link works.
  await withToken(accessToken).users.deleteMe({ password: newPassword })
  await openLink()
  assert.equal(await signIns(lateEmail), [200, 200])
  // Queued mails are sent in order, so those of the refused changes would have arrived.
  assert.is(mailbox.mails.filter(mail => mail.to === one.email && mail.slug === 'email_changing').length, 1)
})

test('an address of a member without an account is a 409 on every route that takes effect at once', async () => {
  const { workspaceId: otherWorkspaceId } = await openHotel('La Jetée')
  const place = { workspaceId: otherWorkspaceId, workspaceRole: 'viewer' }
  const invitee = { firstName: 'A', lastName: 'B', email: someAddress(), ...place }
  await withToken(root).members.createMember(invitee)
  const newEmail = invitee.email
  const { email, accessToken } = await person()
  const ownChange = { email: newEmail, currentPassword: password, updateMask: { paths: ['email'] } }
  assert.is(await statusOf(withToken(accessToken).users.updateMe(ownChange)), 409)
  const memberlessEmail = someAddress()
  await anonymous.signIn.register({ email: memberlessEmail, password })
  for (const oldEmail of [email, memberlessEmail]) {
    assert.is(await statusOf(asService.legacyAccounts.changeMail({ oldEmail, newEmail })), 409)
    await anonymous.signIn.login({ email: oldEmail, password })
  }
  const { user } = await anonymous.users.signUp({ token: await invite(newEmail, place), password })
  assert.is(user?.email, newEmail)
})

test('a change that fails after its link was mailed changes nothing until the link is opened, and then all', async () => {
  const { email, id } = await person()
  const next = someAddress()
  const chiefs = withToken(root).members
  const readEmail = async () => (await chiefs.getMember({ id })).member?.email
  const both = { id, email: next, superior: id, updateMask: { paths: ['email', 'superior'] } }
  assert.is((await refusal(chiefs.updateMember(both))).info.status, 400)
  assert.equal([await readEmail(), await signIns(email)], [email, [200, 200]])
  await confirm(next)
  assert.equal([await readEmail(), await signIns(next)], [next, [200, 200]])
})

test('people without an account, and changes of spelling only, send nothing to an account', async () => {
  const { email, id } = await person()
  await change(id, email.toUpperCase())
  const chiefs = withToken(root).members
  const answer = await chiefs.createMember({ firstName: 'A', lastName: 'B', email: someAddress(), workspaceId })
  const next = someAddress()
  await change(answer.member?.id ?? '', next)
  await anonymous.signIn.login({ email, password })
  // Queued mails are sent in order, so earlier ones have arrived by now.
  await withToken((await person()).accessToken).users.getMe({})
  assert.equal(
    mailbox.mails.filter(one => [email, next].includes(one.to) && one.slug === 'email_changing'),
    [],
  )
})

test('an account made with one hotel’s invitation gets another hotel’s grants to the address only once it is verified', async () => {
  const email = someAddress()
  const { workspaceId: other } = await openHotel('La Jetée')
  const place = { workspaceId: other, workspaceRole: 'admin' }
  await withToken(root).members.createMember({ firstName: 'A', lastName: 'B', email, ...place })
  const token = await invite(email)
  // The sender of the invitation has the token too.
  const error = await refusal(anonymous.users.signUp({ token, password }))
  assert.is(error.info.status, 409)
  assert.match(error.rawMessage, 'Confirm the address first')
  const { accessToken } = await anonymous.signIn.login({ email, password })
  const readWorkspace = () => statusOf(withToken(accessToken).workspaces.getWorkspace({ id: place.workspaceId }))
  const accepts = () => statusOf(withToken(accessToken).onboarding.acceptInvitation({ token }))
  assert.equal([await accepts(), await readWorkspace()], [409, 403])
  await withToken(accessToken).signIn.verifyEmail({ token: await tokenTo(email) })
  assert.equal([await accepts(), await readWorkspace()], [200, 200])
})

test('PUT /auth/change_mail of the legacy version takes effect at once and cancels a pending change', async () => {
  const { email, id } = await person()
  const [pendingEmail, newEmail] = [someAddress(), someAddress()]
  await change(id, pendingEmail)
  await mailTo(pendingEmail, 'verify_email')
  await asService.legacyAccounts.changeMail({ oldEmail: email, newEmail })
  assert.is(await statusOf(confirm(pendingEmail)), 400)
  assert.equal(await signIns(email, newEmail), [401, 401, 200, 200])
  assert.is((await withToken(root).members.getMember({ id })).member?.email, newEmail)
})

test.run()
