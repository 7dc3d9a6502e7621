import { randomBytes } from 'node:crypto'
import { type Response, Router } from 'express'
import { providerError } from '../provider-errors.ts'
import {
  bodyText,
  credential,
  isFields,
  isText,
  type JsonFields,
  parseForm,
  parseJson,
  toText,
} from '../request-values.ts'
import type { SandboxState } from '../state.ts'
import { assertionFault } from './fcm-assertion.ts'

const fcmError = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
const badRequest = 'type.googleapis.com/google.rpc.BadRequest'
const lifeSeconds = 3599

type Settings = { projectId: string | undefined; privateKey: string | undefined; clientEmail: string | undefined }

/**
 * FCM, shaped like Google's API: an OAuth token for a signed assertion, then messages:send. Device tokens that begin
 * with `stale-` are unregistered, `invalid-` malformed, `mismatch-` of another sender.
 */
export function fcmRoutes(state: SandboxState, settings: Settings): Router {
  const issuedTokens = new Map<string, number>()
  const router = Router()
  router.post('/token', (req, res) => {
    const form = parseForm(bodyText(req)) ?? {}
    if (form['grant_type'] !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') {
      res.status(400).json({
        error: 'unsupported_grant_type',
        error_description: `Invalid grant_type: ${toText(form['grant_type']).slice(0, 100)}`,
      })
      return
    }
    const fault = assertionFault(form['assertion'], settings.clientEmail, settings.privateKey)
    if (fault) {
      res.status(400).json({ error: 'invalid_grant', error_description: fault })
      return
    }
    const now = Date.now()
    for (const [token, until] of issuedTokens) if (until < now || issuedTokens.size > 1000) issuedTokens.delete(token)
    const token = `ya29.${randomBytes(32).toString('base64url')}`
    issuedTokens.set(token, now + lifeSeconds * 1000)
    res.json({ access_token: token, expires_in: lifeSeconds, token_type: 'Bearer' })
  })

  router.post('/v1/projects/:project/messages\\:send', (req, res) => {
    const token = credential(req, 'Bearer')
    if (!token || (issuedTokens.get(token) ?? 0) < Date.now()) {
      res
        .status(401)
        .json(
          providerError('fcm', 401, 'Request had invalid authentication credentials. Expected OAuth 2 access token.'),
        )
      return
    }
    if (settings.projectId && req.params.project !== settings.projectId) {
      res.status(403).json(providerError('fcm', 403, 'Permission denied on the project.'))
      return
    }
    const body = parseJson(bodyText(req))
    if (!body) return void res.status(400).json(providerError('fcm', 400, 'Invalid JSON payload received.'))
    const fault = messageFault(body)
    if (fault) return invalid(res, ...fault)
    const message = body['message'] as JsonFields
    const device = toText(message['token'])
    if (device.startsWith('stale-'))
      return refuse(res, 404, 'NOT_FOUND', 'UNREGISTERED', 'Requested entity was not found.')
    if (device.startsWith('mismatch-'))
      return refuse(res, 403, 'PERMISSION_DENIED', 'SENDER_ID_MISMATCH', 'SenderId mismatch')
    const id = body['validate_only'] === true ? 'fake_message_id' : `0:${Date.now()}${randomBytes(6).toString('hex')}`
    if (body['validate_only'] !== true) {
      const notification = isFields(message['notification']) ? message['notification'] : {}
      state.pushes.add({
        id,
        receivedAt: new Date().toISOString(),
        provider: 'fcm',
        to: [device],
        title: toText(notification['title']),
        body: toText(notification['body']),
        data: message['data'] ?? null,
      })
    }
    res.json({ name: `projects/${req.params.project}/messages/${id}` })
  })
  return router
}

function messageFault(body: JsonFields): [field: string, description: string] | undefined {
  const message = body['message']
  if (!isFields(message)) return ['message', 'Recipient of the message is not set.']
  const { token } = message
  if (token === undefined) return ['message', 'Recipient of the message is not set.']
  if (!isText(token, 4096) || token.startsWith('invalid-'))
    return ['', 'The registration token is not a valid FCM registration token']
  const notification = message['notification'] ?? {}
  if (!isFields(notification) || !Object.values(notification).every(value => typeof value === 'string')) {
    return ['message.notification', "Invalid value at 'message.notification' (TYPE_STRING)"]
  }
  const data = message['data'] ?? {}
  if (!isFields(data)) return ['message.data', "Invalid value at 'message.data' (TYPE_MESSAGE)"]
  for (const [i, [key, value]] of Object.entries(data).entries()) {
    if (typeof value !== 'string')
      return [`message.data[${i}].value`, `Invalid value at 'message.data[${i}].value' (TYPE_STRING)`]
    if (key === 'from' || key === 'gcm' || key.startsWith('google'))
      return [`message.data[${i}].key`, `Invalid data payload key: ${key.slice(0, 100)}`]
  }
  const size = Buffer.byteLength(JSON.stringify({ notification: notification, data }))
  return size > 4096 ? ['message', 'Message too big'] : undefined
}

function refuse(res: Response, code: number, status: string, errorCode: string, message: string) {
  res.status(code).json({ error: { code, message, status, details: [{ '@type': fcmError, errorCode }] } })
}

/** As the provider does: an invalid value names only its field; an invalid token has its own code and no field. */
function invalid(res: Response, field: string, description: string) {
  const details = [
    field
      ? { '@type': badRequest, fieldViolations: [{ field, description }] }
      : { '@type': fcmError, errorCode: 'INVALID_ARGUMENT' },
  ]
  res.status(400).json({ error: { code: 400, message: description, status: 'INVALID_ARGUMENT', details } })
}
