import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import { connect, type State } from '../../edge/live/client/client.js'
import type { Written } from './load.ts'

/** What sockets were told of comments, over all their connections. */
export type SocketVerdict = {
  /** Comments that a socket never heard of, and was not told that it may have missed. */
  unheard: string[]
  /** Comments that a socket was told of more than once. */
  heardTwice: string[]
  /** The number of unread notifications that the author's socket was told last, where REST says another. */
  miscounted: string[]
  /** How often a socket was told that it may have missed something. */
  gaps: number
}

type Listener = {
  name: string
  heard: Map<string, number>
  /** When it was last told that it may have missed something; what was written from then on it must hear. */
  gapAt: number
}

export type Sockets = Awaited<ReturnType<typeof openSockets>>

/**
 * Opens sockets with the platform's own client, which comes back by itself with the last offset it had: two in the room of
 * the page, one in that of its author, who is notified of each comment.
 */
export async function openSockets(world: World) {
  let gaps = 0
  /** What the author was told last; undefined while that is not known. */
  let unread: number | undefined
  const { news, notification } = world.urls
  const { admin, colleague } = world.tokens
  /** @param join the frame that joins the room in question; unasked on the notification port */
  const open = async (name: string, url: string, token: string, event: string, join: 'joinPage' | 'auth') => {
    const own: Listener = { name, heard: new Map(), gapAt: 0 }
    let opened = () => {}
    const open = new Promise<void>(resolve => (opened = resolve))
    const client = connect({
      url: `${url.replace('http', 'ws')}/ws`,
      token: () => token,
      state: (state: State) => state === 'open' && opened(),
      gap(from) {
        if (from !== join) return
        gaps++
        if (join === 'auth') unread = undefined
        own.gapAt = Date.now()
      },
    })
    client.on(event, data => {
      const { content } = (event === 'notification:new' ? Object(Object(data).data) : Object(data)) as Written
      if (content) own.heard.set(content, (own.heard.get(content) ?? 0) + 1)
    })
    for (const count of ['notification:count', 'notification:read'])
      client.on(count, data => (unread = (data as { unread?: number }).unread ?? unread))
    if (join === 'joinPage') client.join(join, world.ids['page'])
    await open
    return { own, client }
  }
  const all = await Promise.all([
    open('the author in the room of the page', news, admin, 'comment.created', 'joinPage'),
    open('a colleague in the room of the page', news, colleague, 'comment.created', 'joinPage'),
    open('the author among notifications', notification, admin, 'notification:new', 'auth'),
  ])

  const missing = ({ own }: (typeof all)[number], written: Written[]): string[] =>
    written
      .filter(({ content, begun }) => begun > own.gapAt && !own.heard.has(content))
      .map(({ content }) => `${content}: ${own.name}`)
  /** Read first: what is told later than the answer was read is newer. */
  const miscounted = async (): Promise<string[]> => {
    const path = '/api/v1/notifications/unread-count'
    const { status, body } = await call(world.urls, 'notification', 'GET', path, { token: admin })
    if (status !== 200) return [`${path}: ${status}`]
    return unread === undefined || unread === body['count'] ? [] : [`told ${unread}, there are ${body['count']}`]
  }
  return {
    /** Once all that was written has been heard, or a minute and a half is over. */
    async judge(written: Written[]): Promise<SocketVerdict> {
      const unheard = () => all.flatMap(each => missing(each, written))
      const until = Date.now() + 90_000
      let wrong = await miscounted()
      for (; (unheard().length > 0 || wrong.length > 0) && Date.now() < until; wrong = await miscounted())
        await sleep(200)
      const verdict = {
        unheard: unheard(),
        miscounted: wrong,
        heardTwice: all.flatMap(({ own }) =>
          [...own.heard].flatMap(([content, times]) => (times > 1 ? [`${content}: ${own.name}`] : [])),
        ),
        gaps,
      }
      gaps = 0
      // What comes twice later on is told then, and what is told now is told once.
      for (const { own } of all) for (const content of own.heard.keys()) own.heard.set(content, 1)
      return verdict
    },
    stop() {
      for (const { client } of all) client.close()
    },
  }
}
