import { invitationToken, mailsTo } from '../../cli/tour/client.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import { comesTrue } from '../kit/browser.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, frontSuite, heading, isFocused, isSound, wide } from './front-world.ts'

let world: FrontWorld
/** What administrators do with people in the web client, and what those people notice in another browser. */
const test = frontSuite('people', startedWorld => {
  world = startedWorld
})

test('somebody who is invited by mail accepts in another browser, and appears in the open list', async () => {
  const page = await world.openAs(world.admin, '/members')
  await page.getByRole('link', { name: /Ada/ }).waitFor()
  await page.getByRole('link', { name: 'Invite people' }).click()
  await heading(page, 'Invite people').waitFor()
  await isSound(page, 'invite')
  const email = addressOf(world.tour, 'nora')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('First name').fill('Nora')
  await page.getByLabel('Last name').fill('Dubois')
  await page.getByLabel('Role').selectOption('viewer')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText(`The invitation to ${email} is on its way.`).waitFor()
  await page.getByRole('link', { name: 'Invitations' }).click()
  await page.getByRole('row', { name: new RegExp(email) }).waitFor()
  await isSound(page, 'invitations')
  await page.getByRole('button', { name: `Send again: ${email}` }).click()
  await page.getByText(`A new e-mail is on its way to ${email}.`).waitFor()
  await page.getByRole('link', { name: 'Everyone' }).click()
  await page.getByRole('link', { name: /Ada/ }).waitFor()
  assert.is(await page.getByRole('link', { name: 'Nora Dubois' }).count(), 0)
  // The second mail replaced the token of the first.
  await invitationToken(world.platform.sandboxUrl, email, 2)
  const link = await world.mailedLink(email, '/invitation')
  const phone = await world.visit(link)
  await phone.getByText('Ada Chef invites you to join Hôtel du Phare.').waitFor()
  await phone.getByText(email).waitFor()
  await phone.getByText(/\d\d:\d\d/).waitFor()
  await isSound(phone, 'an invitation')
  await phone.getByLabel('New password').fill(password)
  await phone.getByRole('button', { name: 'Accept the invitation' }).click()
  await phone.getByRole('navigation', { name: 'Main' }).waitFor()
  await page.getByRole('link', { name: 'Nora Dubois' }).waitFor()
  // A viewer sees people, but nothing that changes them.
  await phone.getByRole('link', { name: 'People' }).click()
  await phone.getByRole('link', { name: /Ada/ }).click()
  await phone.getByRole('heading', { name: 'Role and permissions' }).waitFor()
  for (const name of ['Change role', 'Suspend', 'Delete', 'Change permissions', 'Erase personal data'])
    assert.is(await phone.getByRole('button', { name }).count(), 0, name)
  assert.is(await phone.getByRole('link', { name: 'Invite people' }).count(), 0)
  const mails = await mailsTo(world.platform.sandboxUrl, email)
  assert.is(
    mails.filter(mail => /verify-email/.test(JSON.stringify(mail))).length,
    0,
    'the link has proved the address',
  )
  const latePage = await world.visit(link)
  await latePage.getByText('This invitation has been accepted. Sign in').waitFor()
  await heading(latePage, 'Sign in').waitFor()
})

test('a withdrawn invitation leaves the list and its link is refused', async () => {
  const email = addressOf(world.tour, 'otto')
  const body = { email, firstName: 'Otto', lastName: 'Lang', workspaceId: world.workspaceId, workspaceRole: 'member' }
  await world.ask('member', 'POST', '/onboarding/invite', { token: world.admin.token, body })
  const token = await invitationToken(world.platform.sandboxUrl, email)
  const page = await world.openAs(world.admin, '/members/invitations')
  await page.getByRole('button', { name: `Withdraw: ${email}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('The invitation was withdrawn.').waitFor()
  await page.getByRole('row', { name: new RegExp(email) }).waitFor({ state: 'detached' })
  const latePage = await world.visit(`/invitation?token=${token}`)
  await latePage.getByText(/expired, or has already been accepted or withdrawn/).waitFor()
})

test('people are searched, filtered and shown part by part, and one is removed after a question', async () => {
  const { token } = world.admin
  const add = (firstName: string, workspaceRole: string) => {
    const body = { firstName, lastName: 'Perrin', email: addressOf(world.tour, firstName.toLowerCase()) }
    return world.ask('member', 'POST', '/members', {
      token,
      body: { ...body, workspaceId: world.workspaceId, workspaceRole },
    })
  }
  for (let index = 1; index <= 31; index++) await add(`Guest${index}`, index === 31 ? 'manager' : 'viewer')
  const page = await world.openAs(world.admin, '/members')
  const rows = page.getByRole('list', { name: 'People of this workspace' }).getByRole('listitem')
  await page.getByText(/^Page 1 of 2$/).waitFor()
  assert.is(await rows.count(), 30)
  await isSound(page, 'two parts of people')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByText(/^Page 2 of 2$/).waitFor()
  assert.ok(await isFocused(page.getByRole('button', { name: 'Next', disabled: true })))
  await eventually(async () => (await rows.count()) < 30)
  await page.getByLabel('Search by name or e-mail').fill('guest31')
  await page.getByText('1 person', { exact: true }).waitFor()
  assert.match(page.url(), /search=guest31/)
  await page.getByLabel('Role').selectOption('viewer')
  await page.getByText('No results').waitFor()
  await page.getByRole('button', { name: 'Show everyone' }).click()
  await page.getByText(/^Page 1 of 2$/).waitFor()
  await page.getByLabel('Role').selectOption('manager')
  await page.getByRole('link', { name: 'Guest31 Perrin' }).click()
  await page.getByRole('button', { name: 'Remove from the workspace' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Remove from the workspace' }).click()
  await isSound(page, 'a removal')
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The person was removed.').waitFor()
  await page.getByLabel('Search by name or e-mail').fill('guest31')
  await page.getByText('No results').waitFor()
})

test('a removal that is refused says why and keeps the person, and a withdrawn right takes the buttons away', async () => {
  const [max, tom] = [await world.join('max', 'manager', 'Max'), await world.join('tom', 'member', 'Tom')]
  const page = await world.openAs(max, `/members/${tom.memberId}`)
  await page.getByRole('button', { name: 'Remove from the workspace' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'only people who report to you' }).waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.reload()
  await heading(page, 'Tom Martin').waitFor()
  const { token } = world.admin
  const place = `/workspaces/${world.workspaceId}/update-member/${max.memberId}`
  await world.ask('member', 'PATCH', place, { token, body: { workspaceRole: 'viewer' } })
  await page.getByRole('button', { name: 'Remove from the workspace' }).waitFor({ state: 'detached' })
  await heading(page, 'Tom Martin').waitFor()
})

test('an answer that comes after another list was chosen leaves that list alone', async () => {
  const email = addressOf(world.tour, 'lena')
  const body = { email, firstName: 'Lena', lastName: 'Roth', workspaceId: world.workspaceId, workspaceRole: 'member' }
  await world.ask('member', 'POST', '/onboarding/invite', { token: world.admin.token, body })
  const page = await world.openAs(world.admin, '/members/invitations')
  // Both calls are answered only when the test says so.
  await page.addInitScript(`{
    const go = fetch
    globalThis.answer = {}
    globalThis.fetch = async (url, init) => {
      const [name] = /resend|status=expired/.exec(url) ?? []
      if (name) await new Promise(resolve => (answer[name] = resolve))
      return go(url, init)
    }
  }`)
  await page.reload()
  await page.getByRole('button', { name: `Send again: ${email}` }).click()
  await page.getByRole('button', { name: 'Expired', exact: true }).click()
  assert.ok(await comesTrue(page, `Object.keys(answer).length === 2`))
  await page.evaluate(`answer.resend()`)
  await page.getByText(`A new e-mail is on its way to ${email}.`).waitFor()
  await page.evaluate(`answer['status=expired']()`)
  await page.getByText('No expired invitations').waitFor()
})

test('who is invited into a team that is gone meanwhile is invited all the same, which is said', async () => {
  const { token } = world.admin
  const body = { workspaceId: world.workspaceId, name: 'Cellar' }
  const { id } = await world.ask('member', 'POST', '/teams', { token, body })
  const page = await world.openAs(world.admin, '/members/invite')
  await page.getByLabel('E-mail address').fill(addressOf(world.tour, 'tess'))
  await page.getByLabel('First name').fill('Tess')
  await page.getByLabel('Last name').fill('Roy')
  await page.getByLabel('Cellar').check()
  await world.ask('member', 'DELETE', `/teams/delete/${String(id)}`, { token })
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  await page.getByText('could not be added to: Cellar').waitFor()
  assert.is(await page.getByLabel('First name').inputValue(), '')
})

test('a file of people is read, its faults are named before sending, and each row gets its answer', async () => {
  const token = world.admin.token
  const team = { workspaceId: world.workspaceId, name: 'Réception' }
  await world.ask('member', 'POST', '/teams', { token, body: team })
  // A name without Latin letters isn't the empty cell of those without a team.
  await world.ask('member', 'POST', '/teams', { token, body: { ...team, name: 'Кухня' } })
  const [first, second] = [addressOf(world.tour, 'file1'), addressOf(world.tour, 'file2')]
  // As a French spreadsheet saves it: semicolons, Windows letters.
  const lines = [
    'Prénom;Nom;Adresse e-mail;Rôle;Équipe',
    `Zoé;"Martin; née Lévêque";${first};Lecteur;réception`,
    `Max;;not-an-address;Chef;`,
    `Ada;Chef;${world.admin.email};;`,
    `Éric;Bonnet;${second};;`,
    `Éric;Bonnet;${second};;`,
  ]
  const page = await world.openAs(world.admin, '/members/invite', wide)
  // Roles are known under their names in both languages once the page speaks French.
  await page.evaluate(`localStorage['front.language'] = 'fr'`)
  await page.reload()
  await page.getByRole('button', { name: 'Depuis un fichier' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Télécharger un modèle' }).click()
  assert.is((await download).suggestedFilename(), 'personnes.csv')
  await page
    .getByLabel('Choisir un fichier')
    .setInputFiles({ name: 'equipe.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n'), 'latin1') })
  const row = (text: string | RegExp) => page.getByRole('row').filter({ hasText: text })
  await row('not-an-address').filter({ hasText: 'Ce n’est pas une adresse e-mail.' }).waitFor()
  await row('not-an-address').filter({ hasText: 'Le nom manque.' }).waitFor()
  await row('not-an-address').filter({ hasText: 'Ce rôle n’existe pas.' }).waitFor()
  await row('figure dans une ligne précédente').waitFor()
  await row('Martin; née Lévêque').filter({ hasText: 'Lecteur' }).filter({ hasText: 'Réception' }).waitFor()
  assert.is(await row('Кухня').count(), 0)
  await isSound(page, 'people of a file')
  await page.getByRole('button', { name: 'Inviter 3 personnes' }).click()
  await row(first).filter({ hasText: 'Invitée' }).waitFor()
  await row(world.admin.email).filter({ hasText: 'Appartient déjà' }).waitFor()
  await page.getByRole('link', { name: 'Tout le monde' }).click()
  await page.getByRole('combobox', { name: 'Équipe' }).selectOption({ label: 'Réception' })
  await page.getByRole('link', { name: /Zoé Martin/ }).waitFor()
  const entries = page.getByRole('list', { name: /Personnes/ }).getByRole('listitem')
  await eventually(async () => (await entries.count()) === 1)
})

test.run()
