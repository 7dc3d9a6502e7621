import { randomBytes, randomUUID } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import type { PlatformClient } from '../../edge/client/client.ts'
import { connect, type Live, type LiveFrame } from '../../edge/live/client/client.js'
import { messageOf } from '../stack/messages.ts'
import { urlsOf } from './access.ts'
import { type CliCommand, CommandError, type CommandRequest, exitCodes, textOf } from './command.ts'
import { asPerson, personOptions, workspaceOf } from './person.ts'

/** Pages whose comments and reactions are heard from the start; those that change later are added. */
const newestPages = 50

/** Shows a hotel's events until it is interrupted. */
export const listenCommand: CliCommand = {
  name: 'listen',
  summary: "shows a hotel's events as they happen, until Ctrl-C",
  options: {
    workspace: { value: 'id', help: 'where to listen; default: the hotel of the person' },
    type: { value: 'types', help: 'only these, such as page.* or comment.created,like.created' },
    forward: { value: 'url', help: 'posts each event there, signed by the Standard Webhooks specification' },
    count: { value: 'number', help: 'ends after this many events' },
    ...personOptions,
  },
  run: ask =>
    asPerson(ask, async client => {
      const workspaceId = await workspaceOf(ask, client)
      const forward = forwarder(ask)
      const isChosen = typeFilter(textOf(ask.optionValues, 'type') ?? '*')
      const ending = Promise.withResolvers<void>()
      let remainingCount = Number(textOf(ask.optionValues, 'count') ?? Infinity)
      let output = Promise.resolve()
      const take = (frame: LiveFrame): void => {
        if (!isChosen(frame.event) || remainingCount <= 0) return
        const isLast = --remainingCount === 0
        output = output.then(() => show(ask, frame, forward)).then(() => (isLast ? ending.resolve() : undefined))
      }
      const sockets = openSockets(ask, client, take, ending.reject)
      const signals = ['SIGINT', 'SIGTERM'] as const
      for (const signal of signals) process.once(signal, ending.resolve)
      try {
        const listening = joinRooms(sockets, client, workspaceId, ending.reject).then(() =>
          ask.print(`Listening to workspace ${workspaceId}. Ctrl-C ends it.`),
        )
        await Promise.race([ending.promise, listening])
        await ending.promise
      } finally {
        for (const signal of signals) process.off(signal, ending.resolve)
        for (const { live } of Object.values(sockets)) live.close()
      }
      return { data: undefined, text: '' }
    }),
}

type Sockets = Record<'news' | 'member' | 'hotel' | 'notification', { live: Live; opened: Promise<void> }>

function openSockets(
  ask: CommandRequest,
  client: PlatformClient,
  take: (frame: LiveFrame) => void,
  fail: (error: Error) => void,
): Sockets {
  const urls = urlsOf(ask)
  const open = (name: keyof Sockets) => {
    const opened = Promise.withResolvers<void>()
    const live = connect({
      url: `${urls[name].replace(/^http/, 'ws')}/ws`,
      token: async mustRenew => (await client.accessToken(mustRenew)) ?? '',
      on: (_event, _data, frame) => take(frame),
      state: (state, code, reason) => {
        if (state === 'open') opened.resolve()
        if (state === 'closed' && code !== 1000) fail(new CommandError(`${urls[name]} closed: ${code} ${reason}`))
      },
    })
    return { live, opened: opened.promise }
  }
  return { news: open('news'), member: open('member'), hotel: open('hotel'), notification: open('notification') }
}

/** Joins every room of the hotel. Resolves when the sockets are in them. */
async function joinRooms(
  sockets: Sockets,
  client: PlatformClient,
  workspaceId: string,
  fail: (error: Error) => void,
): Promise<void> {
  const socketList = Object.values(sockets)
  await Promise.all(socketList.map(({ opened }) => opened))
  const [news, member, hotel] = [sockets.news.live, sockets.member.live, sockets.hotel.live]
  const refuse = ({ message, statusCode = 0 }: Error & { statusCode?: number }) => {
    // After a failure of the server, the client tries again.
    if (statusCode < 500) fail(new CommandError(`${statusCode} ${message}`, exitCodes.fault, statusCode))
  }
  news.join('joinWorkspace', workspaceId, refuse)
  member.join('joinWorkspaces', [workspaceId], refuse)
  const joinPage = (id: unknown) => void news.join('joinPage', id)
  for (const event of ['page.created', 'page.updated']) news.on(event, page => joinPage((page as { id: string }).id))
  const { ecosystemId } = await client.member.getWorkspace({ id: workspaceId })
  hotel.join('joinHotel', ecosystemId)
  const { data } = await client.news.listPages({ workspaceId, limit: newestPages })
  for (const { id } of data) joinPage(id)
  // A socket answers in order.
  await Promise.all(socketList.map(({ live }) => live.send('ping')))
}

/** Whether a type matches one of the comma-separated patterns. */
function typeFilter(patterns: string): (type: string) => boolean {
  const matchers = patterns.split(',').map(
    pattern =>
      new RegExp(
        `^${pattern
          .trim()
          .replaceAll(/[^\w*:-]/g, '\\$&')
          .replaceAll('*', '.*')}$`,
      ),
  )
  // The first frame of a socket, and rooms that are left, are no events.
  return type => type !== 'ready' && type !== 'room:left' && matchers.some(matcher => matcher.test(type))
}

type HotelEvent = { type: string; timestamp: string; data: unknown }

async function show(
  ask: CommandRequest,
  { event: type, data, offset }: LiveFrame,
  forward: ((id: string, event: HotelEvent) => Promise<string>) | undefined,
): Promise<void> {
  const timestamp = new Date().toISOString()
  const answer = await forward?.(`msg_${offset ?? randomUUID()}`, { type, timestamp, data })
  const text = JSON.stringify(data)
  const line = `${timestamp.slice(11, 19)}  ${type.padEnd(18)}  ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
  ask.stream(answer ? `${line}\n          → ${answer}` : line, { type, timestamp, data, ...(answer && { answer }) })
}

/** Posts events as webhooks are posted, in order; undefined when nothing is forwarded. */
function forwarder(ask: CommandRequest): ((id: string, event: HotelEvent) => Promise<string>) | undefined {
  const address = textOf(ask.optionValues, 'forward')
  if (address === undefined) return undefined
  if (!/^https?:/.test(address) || !URL.canParse(address))
    throw new CommandError('--forward must be an http or https address.', exitCodes.usage)
  const secret = `whsec_${randomBytes(24).toString('base64')}`
  ask.stream(`Forwards to ${address}, signed with ${secret}`, { secret })
  const webhook = new Webhook(secret)
  return async (id, event) => {
    const body = JSON.stringify(event)
    const sentAt = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1_000)),
      'webhook-signature': webhook.sign(id, sentAt, body),
    }
    const init = { method: 'POST', headers, body, redirect: 'manual', signal: AbortSignal.timeout(15_000) } as const
    return fetch(address, init).then(
      ({ status }) => String(status),
      error => messageOf(error),
    )
  }
}
