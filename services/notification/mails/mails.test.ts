import { sql } from 'kysely'
import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { assert, suite } from '../../../test/kit/kit.ts'
import { hotelLooks, logo } from '../../../test/kit/notification/look.ts'
import { notificationsForTest, pageCreated, type Someone } from '../../../test/kit/notification/notification.ts'
import { service as hotel } from '../../hotel/service.ts'
import { newId } from '../../kernel/base/ids.ts'
import { cipher } from '../../kernel/base/secrets.ts'
import { mailTemplates, slugOf } from '../texts/default-templates.ts'
import { truncate } from '../texts/rendering.ts'
import { accentOf } from './layout.ts'

const test = suite('look and texts of mails')
const world = await notificationsForTest({ EMAIL_FROM_NAME: 'Staff & Co', MAIL_LIMIT_PER_HOUR: '1000' }, [hotel])
const { host, sandbox, person, workspace, publish, waitUntilHandled } = world
const looks = hotelLooks(world)
test.after(async () => {
  await looks.close()
  await world.end()
})

const setLook = (workspaceId: string, name: string, colour: string) => looks.set(workspaceId, { name, colour })

const mailTo = async (email: string) =>
  (await sandbox.call('GET', `/_inbox?to=${email}&wait=25000&count=1`)).json.data.at(-1)

/** Text, colours and address of the buttons. */
const buttonsIn = (html: string) =>
  [...html.matchAll(/<a href="([^"]*)" style="[^"]*background:(#\w{6});color:(#\w{3})[^>]*>([^<]*)<\/a>/g)].map(
    ([, address = '', colour = '', ink = '', text = '']) => ({ address, colour, ink, text }),
  )

const mailAbout = async (reader: Someone, type: string, payload: object, ecosystem: object = {}) => {
  const author = await person({ firstName: 'Bob' })
  const workspaceId = await workspace(reader, author)
  await setLook(workspaceId, 'Le <Phare>', '#ffe066')
  const body = pageCreated(workspaceId, author, [reader], { channels: ['email'] })
  await waitUntilHandled(await publish(type, { ...body, ...ecosystem, payload }))
  return mailTo(reader.email)
}

test('the mail of a notification has name, logo and colour of its hotel, the excerpt and one button to the page', async () => {
  const ada = await person()
  const id = newId()
  const mail = await mailAbout(ada, 'page.created', { id, title: 'Menu', excerpt: 'Soupe <du> jour' })
  for (const part of [
    '<html lang="fr" dir="ltr">',
    'Le &lt;Phare&gt;',
    `<img src="${logo.replace('&', '&amp;')}" alt="Logo"`,
    `background:${accentOf({ colour: '#ffe066' })}`,
    'Soupe &lt;du&gt; jour</blockquote>',
    'faites partie de Le &lt;Phare&gt;',
  ])
    assert.ok(mail.html.includes(part), `${part}\n${mail.html}`)
  assert.equal(buttonsIn(mail.html), [
    {
      address: `http://localhost:8080/pages/${id}`,
      colour: accentOf({ colour: '#ffe066' }),
      ink: '#fff',
      text: 'Lire la page',
    },
  ])
  for (const part of [
    'Le <Phare>',
    'Bob Martin a publié',
    'Soupe <du> jour',
    `Lire la page\nhttp://localhost:8080/pages/${id}`,
  ])
    assert.ok(mail.text.includes(part), `${part}\n${mail.text}`)
  assert.match(mail.text, /Se désabonner de ces e-mails\n\S+\/unsubscribe\/\S+\?lang=fr/)
})

test('the mail of a comment quotes it once and leads to its page', async () => {
  const eve = await person({ language: 'en' })
  const pageId = newId()
  const content = `${'word '.repeat(200)}end`
  const mail = await mailAbout(eve, 'comment.created', { id: newId(), pageId, title: 'Menu', content })
  assert.is(mail.subject, 'Bob Martin commented on “Menu”')
  assert.equal(
    buttonsIn(mail.html).map(({ address, text }) => [address, text]),
    [[`http://localhost:8080/pages/${pageId}`, 'View the comment']],
  )
  assert.match(mail.html, /<blockquote[^>]*>(word ){50,99}word…<\/blockquote>/)
  assert.is(mail.text.match(/word word/g)?.length > 20, true)
  assert.not.match(mail.text, 'end\n')
})

test('the mail of a message comes from the hotel and leads to the message', async () => {
  const [ada, bob] = [await person(), await person({ firstName: 'Bob' })]
  const workspaceId = await workspace(ada)
  await world.join(workspaceId, bob, ['send_notifications'])
  await setLook(workspaceId, 'Le Phare', '#7a1f3d')
  const { notification } = await host.as(NotificationService, bob.userId).sendNotification({
    workspaceId,
    receiverIds: [ada.id],
    title: 'Réunion',
    body: 'À 15 h',
    channels: ['email'],
  })
  const mail = await mailTo(ada.email)
  assert.equal([mail.subject, mail.from], ['Réunion', 'Le Phare <hotel@platform.example>'])
  assert.equal(
    buttonsIn(mail.html).map(({ address, text }) => [address, text]),
    [[`http://localhost:8080/notifications/${notification?.id}`, 'Lire le message']],
  )
})

test('each mail to an address has a greeting, one button and a text part in both languages, and no open placeholder', async () => {
  const ada = await person()
  await setLook(await workspace(ada), 'Le Phare', '#7a1f3d')
  const link = 'https://front.example/x?token=1&n=2'
  const values = {
    firstName: 'Zoé',
    oldEmail: 'old@hotel.example',
    link,
    expiresIn: '4 h',
    code: '123456',
    password: 'Kx7-p',
    ...{ workspaceName: 'Le Phare', address: 'pms.example', reason: '410' },
  }
  for (const { type, category, variables } of mailTemplates)
    for (const language of ['fr', 'en']) {
      const slug = slugOf(`${type}.${category}`)
      const to = `${newId()}@hotel.example`
      await host.client(MailService).sendMail({ to, slug, language, variables: { ...values, email: ada.email } })
      const mail = await mailTo(to)
      assert.not.match(mail.html + mail.text, '{{', slug)
      assert.ok(mail.html.includes(`<html lang="${language}" dir="ltr">`), slug)
      assert.ok(mail.text.includes(language === 'fr' ? 'Bonjour Zoé,' : 'Hello Zoé,'), mail.text)
      const address = variables.includes('link') ? link : 'http://localhost:8080/'
      assert.equal(
        buttonsIn(mail.html).map(each => [each.address.replaceAll('&amp;', '&'), each.colour, each.ink]),
        [[address, '#7a1f3d', '#fff']],
        slug,
      )
      assert.ok(mail.text.includes(address), mail.text)
      assert.ok(mail.text.startsWith('Le Phare\n'), mail.text)
      assert.not.match(mail.text, /\b4 h\b/)
      assert.is(mail.headers['list-unsubscribe'], undefined)
    }
})

test('a mail to an address greets by no name that is a message, which anybody can register for it', async () => {
  const greetingWith = async (firstName: string) => {
    const to = `${newId()}@hotel.example`
    const variables = { firstName, email: to, link: 'https://front.example/x?token=1' }
    await host.client(MailService).sendMail({ to, slug: 'verify_email', language: 'en', variables })
    const { text, html } = await mailTo(to)
    if (!text.includes('Hello')) assert.not.match(text + html, firstName.slice(0, 10))
    return /Hello (.*),/.exec(text)?.[1]
  }
  for (const name of ['Zoé', 'Anne-Marie', 'J. R. R.', 'María del Carmen', '李小龍', 'O’Neil'])
    assert.is(await greetingWith(name), name)
  for (const message of [
    'your account is locked. Sign in at https://evil.example',
    'evil.example/login',
    'write to help@evil.example',
    'call 0612345678',
    'Ada\n\nYour account is locked',
    'your account is locked, ask the reception for it now',
  ])
    assert.is(await greetingWith(message), undefined, message)
})

test('a mail to a member has their language and the look of their hotel, or the platform’s where they have two', async () => {
  const eve = await person({ language: 'en' })
  const first = await workspace(eve)
  await setLook(first, 'Le Phare', '#7a1f3d')
  const send = async (to: string, email = to) => {
    await host.client(MailService).sendMail({ to, slug: 'password_reset', variables: { email, expiresIn: '1 h' } })
    return mailTo(to)
  }
  const mail = await send(eve.email.toUpperCase(), eve.email)
  assert.equal([mail.subject, mail.text.split('\n')[0]], ['Reset your password', 'Le Phare'])
  assert.match(mail.text, 'valid for 1 hour.')
  // The former address of a person is told in the same way.
  const former = await send(`${newId()}@hotel.example`, eve.email)
  assert.equal([former.subject, former.text.split('\n')[0]], ['Reset your password', 'Le Phare'])
  const bob = await person()
  await setLook(await workspace(bob), 'Azur', '#000000')
  await setLook(await workspace(bob), 'Corail', '#000000')
  const both = await send(bob.email)
  assert.equal([both.subject, both.text.split('\n')[0]], ['Réinitialisation de votre mot de passe', 'Staff & Co'])
  assert.ok(both.html.includes('Staff &amp; Co'), both.html)
  const stranger = await send(`${newId()}@hotel.example`)
  assert.is(stranger.text.split('\n')[0], 'Staff & Co')
})

test('a mail to somebody who is invited has the look and language of that hotel', async () => {
  const boss = await person()
  const ecosystemId = await setLook(await workspace(boss), 'Le Phare', '#7a1f3d')
  const to = `${newId()}@guest.example`
  const mail = { to, slug: 'verify_email', variables: { email: to }, fallbackLanguage: 'en' }
  await host.client(MailService).sendMail({ ...mail, ecosystemId })
  const firstMail = await mailTo(to)
  assert.equal([firstMail.subject, firstMail.text.split('\n')[0]], ['Confirmez votre adresse e-mail', 'Le Phare'])
  const other = `${newId()}@guest.example`
  await host.client(MailService).sendMail({ ...mail, to: other })
  assert.is((await mailTo(other)).subject, 'Confirm your e-mail address')
})

test('an invitation has the look of the hotel that invites', async () => {
  const boss = await person()
  const workspaceId = await workspace(boss)
  await setLook(workspaceId, 'Le Phare', '#fff')
  const email = `${newId()}@guest.example`
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const link = 'https://front.example/invitation?token=secret'
  const invitee = { email, firstName: 'Zoé', language: 'en', workspaceRole: 'manager' }
  const expiresAt = '2030-03-12T09:00:00.000Z'
  const payload = { id: newId(), ...invitee, expiresAt, workspaceId, sealedLink: links.seal(link) }
  await publish('member.onboarding', { ...pageCreated(workspaceId, boss, []), payload, channels: ['email'] })
  const mail = await mailTo(email)
  assert.is(mail.text.split('\n')[0], 'Le Phare')
  assert.match(mail.text, 'Ada Martin invites you to join Hotel Azur. Your role: manager.')
  assert.match(mail.text, 'The invitation is valid until 12 March 2030.')
  assert.equal(buttonsIn(mail.html), [
    { address: link, colour: accentOf({ colour: '#ffffff' }), ink: '#fff', text: 'Join the team' },
  ])
})

test('an invitation without a language is in that of the hotel, and an unknown time zone of the workspace is the default', async () => {
  const [boss, reader] = [await person(), await person({ timezone: 'Mars/X' })]
  const workspaceId = await workspace(boss, reader)
  await looks.set(workspaceId, { name: 'Le Phare', colour: '#fff', language: 'en' })
  const settings = JSON.stringify({ timezone: 'Mars/X' })
  await sql`update workspaces set settings = ${settings} where id = ${workspaceId}`.execute(world.members)
  const email = `${newId()}@guest.example`
  const links = cipher('invitation-link', [host.env['PASSWORD_ENCRYPTION_KEY'] ?? ''])
  const expiresAt = '2030-03-12T23:30:00.000Z'
  const payload = { id: newId(), email, workspaceRole: 'manager', expiresAt, workspaceId, sealedLink: links.seal('x') }
  await publish('member.onboarding', { ...pageCreated(workspaceId, boss, []), payload, channels: ['email'] })
  assert.match((await mailTo(email)).text, 'The invitation is valid until 13 March 2030.')

  const page = { id: newId(), title: 'Menu', mustRead: true, dueAt: '2030-03-12T23:30:00.000Z' }
  const body = pageCreated(workspaceId, boss, [reader], { channels: ['email'] })
  await waitUntilHandled(await publish('page.created', { ...body, payload: page }))
  assert.match((await mailTo(reader.email)).text, '13 mars 2030 à 00:30 (Europe/Paris)')
})

test('an excerpt ends with a word, and never within a character', () => {
  assert.is(truncate('  one two  ', 20), 'one two')
  assert.is(truncate('one two three', 9), 'one two…')
  assert.is(truncate('😀😀😀', 3), '😀…')
})

test.run()
