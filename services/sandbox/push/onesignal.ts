import { randomUUID } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import type { SandboxState } from '../state.ts'
import { bodyText, credential, isFields, isText, type JsonFields, keyAccepted, parseJson, plain } from '../wire.ts'

const targets = [
  'include_player_ids',
  'include_subscription_ids',
  'include_external_user_ids',
  'include_aliases',
  'included_segments',
  'filters',
]

/**
 * OneSignal's create notification, on the old path and the new. Player ids that begin with `stale-` or `invalid-` are
 * reported as invalid; for `unsubscribed-` the answer is 200 with an empty id.
 */
export function onesignalRoutes(state: SandboxState): Router {
  const messageIdByKey = new Map<string, string>()
  const create: RequestHandler = (req, res) => {
    if (!keyAccepted(credential(req, 'Basic', 'Key', 'Bearer'))) {
      res
        .status(403)
        .json({ errors: ["Access denied. Please include an 'Authorization: ...' header with a valid API key."] })
      return
    }
    const body = parseJson(bodyText(req))
    const problem = body ? problemOf(body) : 'Malformed JSON request body'
    if (!body || problem) {
      res.status(400).json({ errors: [problem] })
      return
    }
    const key = body['idempotency_key'] ?? body['external_id']
    const before = isText(key, 200) ? messageIdByKey.get(key) : undefined
    const ids = idsOf(body)
    const invalid = ids.filter(id => /^(stale|invalid)-/.test(id))
    const reached = ids.filter(id => !/^(stale|invalid|unsubscribed)-/.test(id))
    const direct = 'include_player_ids' in body || 'include_subscription_ids' in body
    if (direct && reached.length === 0) {
      // For unknown players the answer has no id; for unsubscribed ones, an empty one.
      if (invalid.length > 0) return void res.status(200).json({ errors: { invalid_player_ids: invalid } })
      return void res.status(200).json({ id: '', recipients: 0, errors: ['All included players are not subscribed'] })
    }
    const id = before ?? randomUUID()
    if (!before) {
      state.pushes.add({
        id,
        at: new Date().toISOString(),
        provider: 'onesignal',
        to: reached,
        title: localised(body['headings']),
        body: localised(body['contents']),
        data: body['data'] ?? null,
      })
      if (isText(key, 200)) messageIdByKey.set(key, id)
      if (messageIdByKey.size > 10_000)
        for (const oldest of messageIdByKey.keys()) if (messageIdByKey.size > 10_000) messageIdByKey.delete(oldest)
    }
    const errors = invalid.length > 0 ? { errors: { invalid_player_ids: invalid } } : {}
    res.status(200).json({ id, recipients: reached.length, external_id: body['external_id'] ?? null, ...errors })
  }
  return Router().post('/api/v1/notifications', create).post('/notifications', create)
}

function problemOf(body: JsonFields): string | undefined {
  if (!isText(body['app_id'], 100))
    return 'app_id not found. You may be missing a Content-Type: application/json header.'
  const contents = body['contents']
  const silent = body['content_available'] === true || isText(body['template_id'])
  if (!silent && !(isFields(contents) && isText(contents['en'])))
    return 'Message Notifications must have English language content'
  if (body['headings'] !== undefined && !(isFields(body['headings']) && isText(body['headings']['en']))) {
    return 'Message Notifications must have English language title'
  }
  if (body['data'] !== undefined && !isFields(body['data'])) return 'Data must be a valid JSON object'
  const usedTargets = targets.filter(name => body[name] !== undefined)
  if (usedTargets.length === 0)
    return 'You must include which players, segments, or tags you wish to send this notification to.'
  for (const name of usedTargets) {
    const value = body[name]
    if (name === 'include_aliases' ? !isFields(value) : !Array.isArray(value) || value.length === 0)
      return `${name} is invalid`
    if (Array.isArray(value) && value.length > (name === 'include_player_ids' ? 2000 : 20_000))
      return `${name} has too many entries`
    if (/^include_.*_ids$/.test(name) && Array.isArray(value) && !value.every(id => isText(id, 300))) {
      return `Incorrect format in ${name}`
    }
  }
  return undefined
}

function idsOf(body: JsonFields): string[] {
  const aliases = isFields(body['include_aliases']) ? Object.values(body['include_aliases']).flat() : []
  const lists = ['include_player_ids', 'include_subscription_ids', 'include_external_user_ids', 'included_segments']
  return [...lists.flatMap(name => (Array.isArray(body[name]) ? body[name] : [])), ...aliases].filter(id =>
    isText(id, 300),
  )
}

const localised = (texts: unknown): string => (isFields(texts) ? plain(texts['fr'] ?? texts['en']) : '')
