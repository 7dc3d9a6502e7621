import { randomBytes } from 'node:crypto'
import { Router } from 'express'
import {
  bodyText,
  credential,
  isAddress,
  isFields,
  isText,
  type JsonFields,
  keyAccepted,
  parseJson,
  toText,
} from '../request-values.ts'
import type { SandboxState, SentMail } from '../state.ts'

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
    const messageId = randomBytes(16).toString('base64url')
    state.mails.add(mailOf(body, messageId))
    res.status(202).set('X-Message-Id', messageId).end()
  })
  return router
}

/** What is wrong with a mail to one recipient, which is all that the platform sends. */
function faultsOf(body: JsonFields): Refusal[] {
  const errors: Refusal[] = []
  const [to] = recipientsOf(body)
  if (to === undefined)
    errors.push(refuse('The to array is required for all personalization objects.', 'personalizations.0.to'))
  else if (!isAddress(to)) errors.push(refuse('Does not contain a valid address.', 'personalizations.0.to'))
  if (!isFields(body['from']) || !isAddress(body['from']['email']))
    errors.push(refuse('The from object must be provided for every email send.', 'from'))
  if (!isText(body['subject'], 998)) errors.push(refuse('The subject is required.', 'subject'))
  const content = Array.isArray(body['content']) ? body['content'] : []
  if (content.length === 0) errors.push(refuse('The content parameter is required.', 'content'))
  for (const [i, part] of content.entries())
    if (!isFields(part) || !isText(part['type'], 100) || !isText(part['value'], 2_000_000))
      errors.push(refuse('The content must have a type and a value.', `content.${i}`))
  if (content.findIndex(part => isFields(part) && part['type'] === 'text/plain') > 0)
    errors.push(refuse('text/plain must be the first content when it is provided.', 'content'))
  return errors.slice(0, 100)
}

function recipientsOf(body: JsonFields): unknown[] {
  const [person] = Array.isArray(body['personalizations']) ? body['personalizations'] : []
  const recipients = isFields(person) && Array.isArray(person['to']) ? person['to'] : []
  return recipients.map(recipient => (isFields(recipient) ? recipient['email'] : ''))
}

function mailOf(body: JsonFields, id: string): SentMail {
  const content = body['content'] as JsonFields[]
  const part = (type: string) => toText(content.find(item => item['type'] === type)?.['value'])
  const from = body['from'] as JsonFields
  return {
    id,
    receivedAt: new Date().toISOString(),
    via: 'http',
    to: recipientsOf(body).map(toText),
    from: isText(from['name'], 200) ? `${from['name']} <${toText(from['email'])}>` : toText(from['email']),
    subject: toText(body['subject']),
    text: part('text/plain'),
    html: part('text/html'),
    headers: textsOf(body['headers']),
  }
}

const textsOf = (fields: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isFields(fields) ? fields : {})
      .filter(([, value]) => isText(value, 2000))
      .map(([name, value]) => [name.toLowerCase(), toText(value)]),
  )
