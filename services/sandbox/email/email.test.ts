import { createTransport } from 'nodemailer'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'

const test = suite('sandbox mail')
const sandbox = await sandboxForTest()
test.after(() => sandbox.close())

const key = { authorization: 'Bearer SG.key' }
const mail = (fields: object = {}) => ({
  personalizations: [{ to: [{ email: 'Lea@Hotel.test', name: 'Léa' }] }],
  from: { email: 'no-reply@platform.test', name: 'Platform' },
  subject: 'Invitation à rejoindre',
  content: [
    { type: 'text/plain', value: 'Venez: https://front.test/join?token=abc.' },
    { type: 'text/html', value: '<p><a href="https://front.test/join?token=abc&amp;x=1">Rejoindre</a></p>' },
  ],
  headers: { 'List-Unsubscribe': '<https://front.test/u>' },
  ...fields,
})
const send = (body: unknown, headers: Record<string, string> = key) =>
  sandbox.call('POST', '/email/v3/mail/send', body, headers)

test('a mail sent over HTTP answers 202 with its id and arrives only in its receiver’s inbox', async () => {
  const answer = await send(mail())
  assert.is(answer.status, 202)
  assert.is(answer.text, '')
  const { data } = (await sandbox.call('GET', '/_inbox?to=lea@hotel.test')).json
  assert.is(data.length, 1)
  assert.is(data[0].id, answer.headers.get('x-message-id'))
  assert.is(data[0].from, 'Platform <no-reply@platform.test>')
  assert.is(data[0].headers['list-unsubscribe'], '<https://front.test/u>')
  assert.equal((await sandbox.call('GET', '/_inbox?to=other@hotel.test')).json.data, [])
})

test('an invalid mail is refused in the provider’s error form', async () => {
  const cases: [body: unknown, field: string | null][] = [
    [mail({ personalizations: [] }), 'personalizations.0.to'],
    [mail({ from: 'me' }), 'from'],
    [mail({ subject: '' }), 'subject'],
    [mail({ content: [] }), 'content'],
    [mail({ content: [{ type: 'text/html', value: '' }] }), 'content.0'],
    ['{"personalizations":', null],
  ]
  for (const [body, field] of cases) {
    const { status, json } = await send(body)
    assert.equal([status, json.errors[0].field], [400, field], JSON.stringify(body))
  }
  assert.is((await send(mail(), { ...key, 'content-type': 'text/plain' })).status, 415)
})

test('a mail sent by SMTP is read with its accents, text and HTML', async () => {
  const transport = createTransport(sandbox.smtpUrl)
  const waiting = sandbox.call('GET', '/_inbox?to=zoe@hotel.test&wait=30000')
  await transport.sendMail({
    from: '"Hôtel du Lac" <lac@hotel.test>',
    to: 'zoe@hotel.test',
    subject: 'Réinitialisation de votre mot de passe — code à usage unique, valable vingt-quatre heures ✓',
    text: 'Votre code : 123456 é',
    html: '<b>Votre code : 123456 é</b>',
    headers: { 'X-Campaign': 'reset' },
    attachments: [{ filename: 'a.txt', content: 'not the text' }],
  })
  const [receivedMail] = (await waiting).json.data
  assert.is(
    receivedMail.subject,
    'Réinitialisation de votre mot de passe — code à usage unique, valable vingt-quatre heures ✓',
  )
  assert.is(receivedMail.text.trim(), 'Votre code : 123456 é')
  assert.is(receivedMail.html.trim(), '<b>Votre code : 123456 é</b>')
  assert.match(receivedMail.from, 'Hôtel du Lac')
  assert.is(receivedMail.headers['x-campaign'], 'reset')
  assert.is(receivedMail.via, 'smtp')
})

test('by SMTP a refused receiver, a wrong password and each fault reach the sender', async () => {
  const message = { from: 'a@b.test', to: 'faults@hotel.test', subject: 's', text: 't' }
  const code = (options: object, fields: object = {}) =>
    createTransport({ url: sandbox.smtpUrl, ...options } as object)
      .sendMail({ ...message, ...fields })
      .then(
        () => 250,
        (error: { responseCode?: number }) => error.responseCode ?? 'broken',
      )
  const { port } = new URL(sandbox.smtpUrl)
  const server = { host: '127.0.0.1', port: Number(port) }
  assert.is(await code(server, { to: 'refused-x@hotel.test' }), 550)
  assert.is(await code({ ...server, auth: { user: 'u', pass: 'invalid' } }), 535)
  assert.is(await code({ ...server, auth: { user: 'u', pass: 'good' } }), 250)
  for (const [mode, expected] of [
    ['429', 451],
    ['500', 451],
    ['400', 554],
    ['reset', 'broken'],
    ['garbage', 'broken'],
  ] as const) {
    await sandbox.control({ provider: 'email', mode, method: 'SMTP' })
    assert.is(await code(server), expected, mode)
  }
  assert.is((await sandbox.call('GET', '/_inbox?to=faults@hotel.test')).json.data.length, 1)
})

test.run()
