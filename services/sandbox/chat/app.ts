import { randomUUID } from 'node:crypto'
import { type Response, Router } from 'express'
import type { SandboxState } from '../state.ts'
import { bodyText, bounded, isText, parseJson, plain } from '../wire.ts'
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
    const { user_id, nickname, profile_url } = body
    const { users } = applicationOf(res)
    if (!isText(user_id, 80) || user_id === '__proto__')
      return chatError(res, 400, 400105, 'Missing required parameter: "user_id".')
    if (Object.hasOwn(users, user_id)) return chatError(res, 400, 400202, '"user_id" violates unique constraint.')
    if (Object.keys(users).length >= maxEntries) return chatError(res, 400, 400113, 'Too many users.')
    users[user_id] = {
      nickname: plain(nickname).slice(0, 80),
      profile_url: plain(profile_url).slice(0, 2048),
      at: Date.now(),
    }
    state.changed()
    res.json({ ...toUserJson(user_id, users[user_id]), is_active: true, created_at: Math.floor(Date.now() / 1000) })
  })
  router.get('/v3/users', (req, res) => {
    const limit = bounded(req.query['limit'], 10, 1, 100)
    const users = Object.entries(applicationOf(res).users).slice(0, limit)
    res.json({ users: users.map(([user_id, user]) => toUserJson(user_id, user)), next: '' })
  })
  router.delete('/v3/users/:user', (req, res) => {
    const application = applicationOf(res)
    const { user } = req.params
    if (!Object.hasOwn(application.users, user)) return chatError(res, 400, 400201, '"User" not found.')
    delete application.users[user]
    application.deleted = [...(application.deleted ?? []), Date.now()].slice(-maxEntries)
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
    channels[url] = { name: plain(body['name']).slice(0, 191), members, at: Date.now() }
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
    messages.push({ at: Date.now(), user })
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
  router.get('/v3/applications/mau', (_req, res) => {
    res.json({ mau: sendersSince(applicationOf(res), Date.now() - 30 * 86_400_000) })
  })
  router.get('/v3/statistics/metric', (req, res) => {
    const { metric_type: name, time_dimension: by } = req.query
    const range = rangeOf(req.query, by === 'daily' ? ['year', 'month', 'day'] : ['year', 'month'])
    if (by !== 'daily' && by !== 'monthly') return chatError(res, 400, 400111, 'Invalid value: "time_dimension".')
    if (!range) return chatError(res, 400, 400105, 'Missing required parameter: the start and end of the range.')
    const statistics = metric(applicationOf(res), plain(name), range)
    if (!statistics) return chatError(res, 400, 400111, 'Invalid value: "metric_type".')
    const limit = bounded(req.query['limit'], 1000, 1, 1000)
    const from = bounded(req.query['token'], 0, 0, 1_000_000)
    const next = from + limit < statistics.length ? String(from + limit) : ''
    res.json({ statistics: statistics.slice(from, from + limit), next })
  })
  return router
}

/** First and last day or month of a range, as date prefixes; undefined when a part is missing. */
function rangeOf(query: Record<string, unknown>, parts: string[]): [string, string] | undefined {
  const end = (edge: string) => {
    const numbers = parts.map(part => plain(query[`${edge}_${part}`]))
    return numbers.every(text => /^\d{1,4}$/.test(text))
      ? numbers.map(text => text.padStart(2, '0')).join('-')
      : undefined
  }
  const [from, to] = [end('start'), end('end')]
  return from && to ? [from, to] : undefined
}

const toUserJson = (user_id: string, user: { nickname: string; profile_url: string } | undefined) => ({
  user_id,
  nickname: user?.nickname ?? '',
  profile_url: user?.profile_url ?? '',
})
