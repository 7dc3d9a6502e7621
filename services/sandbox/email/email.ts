import { randomBytes } from 'node:crypto'
import { Router } from 'express'
import type { SandboxState, SentMail } from '../state.ts'
import {
  bodyText,
  credential,
  isAddress,
  isFields,
  isText,
  type JsonFields,
  keyAccepted,
  parseJson,
  plain,
} from '../wire.ts'

type Refusal = { message: string; field: string | null; help: null }

const refuse = (message: string, field: string | null = null): Refusal => ({ message, field, help: null })

/** The mail provider's HTTP interface, shaped like SendGrid's v3 mail send: 202 with X-Message-Id, or {errors}. */
export function emailRoutes(state: SandboxState): Router {
  const router = Router()
  router.post('/v3/mail/send', (req, res) => {
    if (!keyAccepted(credential(req, 'Bearer'))) {
      res.status(401).json({ errors: [refuse('The provided authorization grant is invalid, expired, or revoked')] })
      return
    }
    if (!req.is('application/json')) {
      res.status(415).json({ errors: [refuse('Content-Type should be application/json.')] })
      return
    }
    const body = parseJson(bodyText(req))
    const errors = body ? faultsOf(body) : [refuse('Bad Request')]
    if (!body || errors.length > 0) {
      res.status(400).json({ errors })
      return
    }
    const settings = isFields(body['mail_settings']) ? body['mail_settings'] : {}
    const dryRun = isFields(settings['sandbox_mode']) && settings['sandbox_mode']['enable'] === true
    const messageId = randomBytes(16).toString('base64url')
    if (!dryRun) for (const mail of mailsOf(body, messageId)) state.mails.add(mail)
    res
      .status(dryRun ? 200 : 202)
      .set('X-Message-Id', messageId)
      .end()
  })
  return router
}

function faultsOf(body: JsonFields): Refusal[] {
  const errors: Refusal[] = []
  const people = body['personalizations']
  if (!Array.isArray(people) || people.length === 0) {
    errors.push(
      refuse('The personalizations field is required and must have at least one personalization.', 'personalizations'),
    )
  } else if (people.length > 1000) {
    errors.push(
      refuse('The personalization block is limited to 1000 personalizations per API request.', 'personalizations'),
    )
  } else for (const [i, person] of people.entries()) errors.push(...personFaults(person, `personalizations.${i}`))
  if (!isFields(body['from']) || !isAddress(body['from']['email'])) {
    errors.push(
      refuse(
        'The from object must be provided for every email send. It is an object that requires the email parameter.',
        'from',
      ),
    )
  }
  const subjects = Array.isArray(people) && people.every(person => isFields(person) && isText(person['subject']))
  if (!isText(body['subject'], 998) && !subjects) errors.push(refuse('The subject is required.', 'subject'))
  const content = body['content']
  if (!Array.isArray(content) || content.length === 0) {
    if (!isText(body['template_id']))
      errors.push(refuse('Unless a valid template_id is provided, the content parameter is required.', 'content'))
  } else {
    for (const [i, part] of content.entries()) {
      if (!isFields(part) || !isText(part['type'], 100))
        errors.push(refuse('The content type is required.', `content.${i}.type`))
      else if (!isText(part['value'], 2_000_000)) {
        errors.push(
          refuse('The content value must be a string at least one character in length.', `content.${i}.value`),
        )
      }
    }
    const plain = content.findIndex(part => isFields(part) && part['type'] === 'text/plain')
    if (plain > 0) errors.push(refuse('text/plain must be the first content when it is provided.', 'content'))
  }
  return errors.slice(0, 100)
}

function personFaults(person: unknown, field: string): Refusal[] {
  const to = isFields(person) ? person['to'] : undefined
  if (!Array.isArray(to) || to.length === 0)
    return [refuse('The to array is required for all personalization objects.', `${field}.to`)]
  if (!to.every(recipient => isFields(recipient) && isAddress(recipient['email']))) {
    return [refuse('Does not contain a valid address.', `${field}.to`)]
  }
  const addresses = to.map(recipient => plain(recipient.email).toLowerCase())
  return new Set(addresses).size === addresses.length
    ? []
    : [refuse('Each email address in the personalization block should be unique between to, cc, and bcc.', field)]
}

function mailsOf(body: JsonFields, messageId: string): SentMail[] {
  const people = body['personalizations'] as JsonFields[]
  const content = Array.isArray(body['content']) ? (body['content'] as JsonFields[]) : []
  const part = (type: string) => plain(content.find(item => item['type'] === type)?.['value'])
  const from = body['from'] as JsonFields
  return people.map((person, i) => ({
    id: people.length === 1 ? messageId : `${messageId}.${i}`,
    at: new Date().toISOString(),
    via: 'http',
    to: (person['to'] as JsonFields[]).map(recipient => plain(recipient['email'])),
    from: isText(from['name'], 200) ? `${from['name']} <${plain(from['email'])}>` : plain(from['email']),
    subject: plain(person['subject']) || plain(body['subject']),
    text: part('text/plain'),
    html: part('text/html'),
    headers: textsOf(body['headers'], person['headers']),
  }))
}

const textsOf = (...groups: unknown[]): Record<string, string> =>
  Object.fromEntries(
    groups
      .filter(isFields)
      .flatMap(Object.entries)
      .filter(([, value]) => isText(value, 2000))
      .map(([name, value]) => [name.toLowerCase(), plain(value)]),
  )
