import { randomUUID } from 'node:crypto'
import { type Response, Router } from 'express'
import { bodyText, isText, parseJson, toText } from '../request-values.ts'
import type { SandboxState } from '../state.ts'
import { type ChatApplication, type ChatStore, chatError, metric, sendersSince } from './store.ts'

const maxEntries = 10_000

/**
 * A chat application's API, as far as statistics need it: users, group channels, messages, metrics. Header Api-Token.
 */
export function chatAppRoutes(state: SandboxState, store: ChatStore): Router {
  const router = Router({ mergeParams: true })
  router.use((req, res, next) => {
    const application = store.get(String((req.params as { app?: string }).app))
    if (!application) return chatError(res, 400, 400201, '"Application" not found.')
    if (req.headers['api-token'] !== application.api_token)
      return chatError(res, 401, 400401, 'Invalid value: "Api-Token".')
    if (!application.is_active) return chatError(res, 403, 403100, 'The application is not active.')
    res.locals['application'] = application
    next()
  })
  const applicationOf = (res: Response) => res.locals['application'] as ChatApplication

  router.post('/v3/users', (req, res) => {
    const body = parseJson(bodyText(req)) ?? {}
    const { user_id, nickname } = body
    const { users } = applicationOf(res)
    if (!isText(user_id, 80) || user_id === '__proto__')
      return chatError(res, 400, 400105, 'Missing required parameter: "user_id".')
    if (Object.hasOwn(users, user_id)) return chatError(res, 400, 400202, '"user_id" violates unique constraint.')
    if (Object.keys(users).length >= maxEntries) return chatError(res, 400, 400113, 'Too many users.')
    users[user_id] = { nickname: toText(nickname).slice(0, 80), atMs: Date.now() }
    state.changed()
    res.json({ user_id, nickname: users[user_id].nickname, is_active: true })
  })
  router.delete('/v3/users/:user', (req, res) => {
    const application = applicationOf(res)
    const { user } = req.params
    if (!Object.hasOwn(application.users, user)) return chatError(res, 400, 400201, '"User" not found.')
    delete application.users[user]
    application.deleted = [...application.deleted, Date.now()].slice(-maxEntries)
    state.changed()
    res.json({})
  })
  router.post('/v3/group_channels', (req, res) => {
    const body = parseJson(bodyText(req)) ?? {}
    const { users, channels } = applicationOf(res)
    const members = Array.isArray(body['user_ids']) ? body['user_ids'].slice(0, 100) : []
    if (!members.every(id => isText(id, 80) && Object.hasOwn(users, id)))
      return chatError(res, 400, 400201, '"User" not found.')
    if (Object.keys(channels).length >= maxEntries) return chatError(res, 400, 400113, 'Too many channels.')
    const url = `sendbird_group_channel_${randomUUID()}`
    channels[url] = { name: toText(body['name']).slice(0, 191), members, atMs: Date.now() }
    state.changed()
    res.json({ channel_url: url, name: channels[url].name, members, member_count: members.length })
  })
  router.post('/v3/group_channels/:url/messages', (req, res) => {
    const body = parseJson(bodyText(req)) ?? {}
    const { users, channels, messages } = applicationOf(res)
    if (!Object.hasOwn(channels, req.params.url)) return chatError(res, 400, 400201, '"Channel" not found.')
    const user = body['user_id']
    if (!isText(user, 80) || !Object.hasOwn(users, user)) return chatError(res, 400, 400201, '"User" not found.')
    if (!isText(body['message'], 20_000)) return chatError(res, 400, 400105, 'Missing required parameter: "message".')
    messages.push({ atMs: Date.now(), user })
    if (messages.length > maxEntries) messages.shift()
    state.changed()
    res.json({
      message_id: Date.now(),
      type: 'MESG',
      message: body['message'],
      user: { user_id: user },
      channel_url: req.params.url,
    })
  })
  router.get('/v3/applications/dau', (_req, res) => {
    res.json({ dau: sendersSince(applicationOf(res), new Date().setUTCHours(0, 0, 0, 0)) })
  })
  router.get('/v3/statistics/metric', (req, res) => {
    const [from, to] = [dayOf(req.query, 'start'), dayOf(req.query, 'end')]
    if (!from || !to) return chatError(res, 400, 400105, 'Missing required parameter: the start and end of the range.')
    const statistics = metric(applicationOf(res), toText(req.query['metric_type']), [from, to])
    if (!statistics) return chatError(res, 400, 400111, 'Invalid value: "metric_type".')
    res.json({ statistics, next: '' })
  })
  return router
}

/** One end of a range as a date; undefined when a part is missing. */
function dayOf(query: Record<string, unknown>, edge: string): string | undefined {
  const numbers = ['year', 'month', 'day'].map(part => toText(query[`${edge}_${part}`]))
  return numbers.every(text => /^\d{1,4}$/.test(text))
    ? numbers.map(text => text.padStart(2, '0')).join('-')
    : undefined
}
