import type { Locator, Page } from 'playwright-core'
import { addressOf, password } from '../../cli/tour/world.ts'
import { assert, eventually } from '../kit/kit.ts'
import { type FrontWorld, fits, frontSuite, heading, isFocused, isSound, tabTo } from './front-world.ts'

let world: FrontWorld
/** Addresses and passwords of the web client, its sign-in by keyboard, and these screens in French. */
const test = frontSuite('addresses, passwords, keyboard, French', startedWorld => {
  world = startedWorld
})

const better = 'another long password 8'
const button = (page: Page | Locator, name: string) => page.getByRole('button', { name, exact: true })
/** A field with its hint and its fault. */
const field = (page: Page, label: string) =>
  page.locator('.field').filter({ has: page.getByLabel(label, { exact: true }) })
const opensWith = async (email: string, secret: string): Promise<void> => {
  await world.ask('auth', 'POST', '/auth/login', { body: { email, password: secret } })
}

test('a person changes their e-mail address with their password, and the mailed link confirms it once', async () => {
  const ann = await world.join('ann')
  const [takenAddress, newAddress] = [world.admin.email, addressOf(world.tour, 'ann.next')]
  const page = await world.openAs(ann, '/account')
  const fill = async (email: string, secret: string) => {
    await page.getByLabel('E-mail address').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(secret)
    await button(page, 'Change the address').click()
  }
  await fill(newAddress, 'not this one')
  await field(page, 'Password').getByText('This password is wrong.').waitFor()
  await isSound(page, 'refused address')
  await fill(takenAddress, password)
  await page.getByRole('alert').filter({ hasText: 'belongs to another account' }).waitFor()
  // The platform writes addresses in lower case.
  const otherTab = await page.context().newPage()
  await otherTab.goto(page.url())
  const shownAddress = otherTab.getByLabel('E-mail address')
  await shownAddress.waitFor()
  await fill(newAddress.replace('ann', 'Ann'), password)
  await page.getByText('Your address has been changed.').waitFor()
  await button(page, 'Change the password').waitFor()
  assert.is(await page.getByLabel('E-mail address').inputValue(), newAddress)
  assert.is(await page.getByRole('alert').count(), 0)
  await opensWith(newAddress, password)
  // Another tab follows with the next change of the person's rights.
  assert.is(await shownAddress.inputValue(), ann.email)
  const path = `/workspaces/${world.workspaceId}/update-member/${ann.memberId}`
  await world.ask('member', 'PATCH', path, { token: world.admin.token, body: { workspaceRole: 'viewer' } })
  assert.ok(await eventually(async () => (await shownAddress.inputValue()) === newAddress))
  await otherTab.close()
  const link = await world.mailedLink(newAddress, '/verify-email')
  await page.goto(link)
  await heading(page, 'Confirm your e-mail address').waitFor()
  await isSound(page, 'confirm address')
  await button(page, 'Confirm the address').click()
  await page.getByText('Your address is confirmed.').waitFor()
  await page.getByRole('link', { name: 'Continue' }).click()
  await heading(page, 'News').waitFor()
  await page.goto(link)
  await button(page, 'Confirm the address').click()
  await page.getByRole('alert').filter({ hasText: 'has expired or has already been used' }).waitFor()
})

test('an address that an administrator set is shown in the account once its link is opened', async () => {
  const ben = await world.join('ben')
  const next = addressOf(world.tour, 'ben.next')
  const page = await world.openAs(ben)
  const path = `/members/update/${ben.memberId}`
  await world.ask('member', 'PATCH', path, { token: world.admin.token, body: { email: next } })
  await page.goto(await world.mailedLink(next, '/verify-email'))
  await button(page, 'Confirm the address').waitFor()
  // The access token of the page expires.
  let expired: string | undefined
  await page.route('**/services/**', route => {
    const headers = route.request().headers()
    expired ??= headers['authorization']
    if (headers['authorization'] === expired) headers['authorization'] = 'Bearer none'
    return route.continue({ headers })
  })
  await button(page, 'Confirm the address').click()
  await page.getByRole('link', { name: 'Continue' }).click()
  await page.getByRole('link', { name: 'Your account' }).click()
  await heading(page, 'Your account').waitFor()
  assert.is(await page.getByLabel('E-mail address').inputValue(), next)
})

test('a link opened where nobody is signed in confirms the address with a new password', async () => {
  const email = addressOf(world.tour, 'dan')
  await world.ask('auth', 'POST', '/auth/register', { body: { email, password } })
  const page = await world.visit()
  await page.goto(await world.mailedLink(email, '/verify-email'))
  await button(page, 'Confirm the address').click()
  await page.getByText('Choose a new password').waitFor()
  assert.is(await page.getByRole('alert').count(), 0)
  await isSound(page, 'confirm with a password')
  await page.getByLabel('New password').fill(better)
  await button(page, 'Confirm and save the password').click()
  await page.getByText('Your address is confirmed.').waitFor()
  await opensWith(email, better)
})

test('a person changes their password: refusals name the field, and other devices are signed out', async () => {
  const cid = await world.join('cid')
  const otherDevice = await world.openAs(cid)
  const page = await world.openAs(cid, '/account')
  const signOutButton = page.getByRole('button', { name: 'Sign out all other devices' })
  await signOutButton.waitFor()
  const fill = async (current: string, next: string) => {
    await page.getByLabel('Password', { exact: true }).fill(current)
    await page.getByLabel('New password').fill(next)
    await button(page, 'Change the password').click()
  }
  await fill(password, 'password123')
  await field(page, 'New password').getByText('This password is too common').waitFor()
  await fill('not this one', better)
  await field(page, 'Password').getByText('This password is wrong.').waitFor()
  await fill(password, password)
  await field(page, 'New password').getByText('This is your current password.').waitFor()
  await fill(password, better)
  await page.getByText('Your password has been changed.').waitFor()
  await otherDevice.getByText('You have been signed out').waitFor()
  await signOutButton.waitFor({ state: 'detached' })
  await page.reload()
  await heading(page, 'Your account').waitFor()
  await opensWith(cid.email, better)
})

test('a temporary password opens nothing but the form that replaces it', async () => {
  const dee = await world.join('dee')
  const body = { email: dee.email }
  const token = world.tour.tokens.root
  const answer = await world.ask('legacyauth', 'POST', '/user/change/Password/by/admin', { token, body })
  const page = await world.visit('/account')
  await world.sendForm(page, dee, String(answer['temporaryPassword']))
  await heading(page, 'Choose your own password').waitFor()
  await isSound(page, 'temporary password')
  // A reload doesn't lead past it.
  await page.reload()
  await heading(page, 'Sign in').waitFor()
  await world.sendForm(page, dee, String(answer['temporaryPassword']))
  await page.getByLabel('New password').fill('password123')
  await button(page, 'Save and continue').click()
  await field(page, 'New password').getByText('This password is too common').waitFor()
  await page.getByLabel('New password').fill(better)
  await button(page, 'Save and continue').click()
  await heading(page, 'Your account').waitFor()
  await opensWith(dee.email, better)
})

test('signing in, choosing a workspace, opening the account and signing out work with the keyboard alone', async () => {
  const eli = await world.join('eli')
  const { token } = world.admin
  const body = { name: 'Annexe', ecosystemId: world.ecosystemId }
  const annexe = String((await world.ask('member', 'POST', '/workspaces', { token, body }))['id'])
  await world.ask('member', 'POST', `/workspaces/${annexe}/add-member`, { token, body: { memberId: eli.memberId } })
  const page = await world.visit('/')
  const { keyboard } = page
  await tabTo(page, page.getByLabel('E-mail address'))
  await keyboard.type(eli.email)
  await tabTo(page, page.getByLabel('Password', { exact: true }))
  await keyboard.type(password)
  await tabTo(page, page.getByLabel('Show the password'))
  await keyboard.press('Space')
  assert.is(await page.getByLabel('Password', { exact: true }).getAttribute('type'), 'text')
  await tabTo(page, button(page, 'Sign in'))
  await keyboard.press('Enter')
  await heading(page, 'News').waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Skip to content' }))
  await tabTo(page, page.getByRole('combobox', { name: 'Workspace' }))
  await keyboard.type('Annexe')
  await page.getByRole('banner').getByRole('link', { name: 'Annexe' }).waitFor()
  await tabTo(page, page.getByRole('link', { name: 'Your account' }))
  await keyboard.press('Enter')
  await heading(page, 'Your account').waitFor()
  assert.ok(await eventually(() => isFocused(heading(page, 'Your account'))))
  await tabTo(page, button(page, 'Sign out'))
  await keyboard.press('Space')
  await heading(page, 'Sign in').waitFor()
})

/** English words that none of these screens has in French. */
const english = /\b(the|you|your|and|with|this|for|to|is|password|address|sign|device|computer|save|too)\b/i

/** Asserts that a screen with this heading, its fields' names and its refusals are French, and fit. */
async function isFrench(page: Page, title: string): Promise<void> {
  await heading(page, title).waitFor()
  const names = `[...document.querySelectorAll('[aria-label], [title]')].map(one => one.ariaLabel ?? one.title).join()`
  const text = `${await page.locator('body').innerText()} ${await page.title()} ${await page.evaluate(names)}`
  assert.is(english.exec(text)?.[0], undefined, `${title}: ${text}`)
  assert.is(await page.evaluate('document.documentElement.lang'), 'fr')
  await fits(page, `${title}, in French`)
}

test('the screens around the sign-in and the account are in French, refusals included', async () => {
  const fay = await world.join('fay')
  const page = await world.visit('/', { locale: 'fr-FR' })
  await isFrench(page, 'Se connecter')
  const link = page.getByRole('link', { name: 'Mot de passe oublié ?' })
  assert.is(await link.innerText(), 'Mot de passe oublié\u202f?', 'a sign stays on the line of its word')
  await link.click()
  await isFrench(page, 'Réinitialiser le mot de passe')
  await page.getByLabel('Adresse e-mail').fill(fay.email)
  await button(page, 'Envoyer le lien').click()
  await page.goto(await world.mailedLink(fay.email, '/reset-password'))
  await page.getByLabel('Nouveau mot de passe').fill('password123')
  await button(page, 'Enregistrer le mot de passe').click()
  await page.getByText('Ce mot de passe est trop courant').first().waitFor()
  await isFrench(page, 'Choisissez un nouveau mot de passe')
  await page.goto(`${world.platform.frontUrl}/verify-email?token=none`)
  await button(page, 'Confirmer l’adresse').click()
  await page.getByRole('alert').waitFor()
  await isFrench(page, 'Confirmez votre adresse e-mail')
  await page.goto(`${world.platform.frontUrl}/invitation?token=none`)
  await page.getByRole('alert').waitFor()
  await isFrench(page, 'Bienvenue dans l’équipe')
  await page.goto(`${world.platform.frontUrl}/account`)
  await page.getByLabel('Adresse e-mail').fill(fay.email)
  await page.getByLabel('Mot de passe', { exact: true }).fill(password)
  await button(page, 'Se connecter').click()
  await page.getByText('Cet appareil', { exact: true }).waitFor()
  await page.getByLabel('Mot de passe', { exact: true }).fill('pas celui-ci')
  await page.getByLabel('Nouveau mot de passe').fill(better)
  await button(page, 'Modifier le mot de passe').click()
  await page.getByText('Ce mot de passe est incorrect.').waitFor()
  await isFrench(page, 'Votre compte')
  await page.goto(`${world.platform.frontUrl}/nowhere`)
  await isFrench(page, 'Page introuvable')
  const token = world.admin.token
  await world.ask('member', 'DELETE', `/workspaces/${world.workspaceId}/remove-member/${fay.memberId}`, { token })
  await isFrench(page, 'Vous n’appartenez encore à aucun hôtel')
  await page.route(/\/session\/refresh$/, route => route.fulfill({ status: 503 }))
  await page.reload()
  await isFrench(page, 'Pas de connexion')
})

test.run()
