import { randomUUID } from 'node:crypto'
import { type RequestHandler, Router } from 'express'
import {
  bodyText,
  credential,
  isFields,
  isText,
  type JsonFields,
  keyAccepted,
  parseJson,
  toText,
} from '../request-values.ts'
import type { SandboxState } from '../state.ts'

/**
 * OneSignal's create notification for player ids. Those that begin with `stale-` or `invalid-` are
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
    const key = toText(body['idempotency_key'])
    const before = messageIdByKey.get(key)
    const ids = body['include_player_ids'] as string[]
    const invalid = ids.filter(id => /^(stale|invalid)-/.test(id))
    const reachedIds = ids.filter(id => !/^(stale|invalid|unsubscribed)-/.test(id))
    if (reachedIds.length === 0) {
      // For unknown players the answer has no id; for unsubscribed ones, an empty one.
      if (invalid.length > 0) return void res.status(200).json({ errors: { invalid_player_ids: invalid } })
      return void res.status(200).json({ id: '', recipients: 0, errors: ['All included players are not subscribed'] })
    }
    const id = before ?? randomUUID()
    if (!before) {
      state.pushes.add({
        id,
        receivedAt: new Date().toISOString(),
        provider: 'onesignal',
        to: reachedIds,
        title: localised(body['headings']),
        body: localised(body['contents']),
        data: body['data'] ?? null,
      })
      if (key) messageIdByKey.set(key, id)
      const oldest = messageIdByKey.size > 10_000 ? messageIdByKey.keys().next().value : undefined
      if (oldest !== undefined) messageIdByKey.delete(oldest)
    }
    const errors = invalid.length > 0 ? { errors: { invalid_player_ids: invalid } } : {}
    res.status(200).json({ id, recipients: reachedIds.length, ...errors })
  }
  return Router().post('/api/v1/notifications', create)
}

function problemOf(body: JsonFields): string | undefined {
  if (!isText(body['app_id'], 100))
    return 'app_id not found. You may be missing a Content-Type: application/json header.'
  for (const name of ['contents', 'headings']) {
    const texts = body[name]
    if (!isFields(texts) || !isText(texts['en'])) return `Message Notifications must have English language ${name}`
  }
  if (body['data'] !== undefined && !isFields(body['data'])) return 'Data must be a valid JSON object'
  const ids = body['include_player_ids']
  if (!Array.isArray(ids) || ids.length === 0)
    return 'You must include which players, segments, or tags you wish to send this notification to.'
  if (ids.length > 2000) return 'include_player_ids has too many entries'
  return ids.every(id => isText(id, 300)) ? undefined : 'Incorrect format in include_player_ids'
}

const localised = (texts: unknown): string => (isFields(texts) ? toText(texts['fr'] ?? texts['en']) : '')
