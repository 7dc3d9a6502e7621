import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'
import { connect, type LiveState } from '../../edge/live/client/client.js'
import type { TimedAttempt } from './load.ts'

/** Result of the sockets for comments, across their connections. */
export type SocketVerdict = {
  faults: {
    /** Comments that a socket neither received nor was told it may have missed. */
    missingFrames: string[]
    /** Comments that a socket received more than once. */
    duplicateFrames: string[]
    /** The unread count last sent to the author's socket, if REST returns another. */
    wrongCounts: string[]
  }
  /** How often a socket was told that it may have missed something. */
  gaps: number
}

type Listener = {
  name: string
  /** The offsets of the frames of each comment: whether the broker or the recovery repeated a frame. */
  offsetsByComment: Map<string, string[]>
  /** When it was last told of a gap; everything written later must be received. */
  gapAt: number
}

export type Sockets = Awaited<ReturnType<typeof openSockets>>

/**
 * Opens sockets with the platform's own client, which reconnects with its last offset: two in the page's room, and one
 * in that of its author, who is notified of each comment.
 */
export async function openSockets(world: World) {
  let gaps = 0
  /** The unread count last sent to the author; undefined after a gap. */
  let unread: number | undefined
  const { news, notification } = world.urls
  /**
   *
   * @param join the frame that joins the room; `auth` on the notification port, which joins by itself
   */
  const open = async (
    name: string,
    url: string,
    person: 'admin' | 'colleague',
    event: string,
    join: 'joinPage' | 'auth',
  ) => {
    const listener: Listener = { name, offsetsByComment: new Map(), gapAt: 0 }
    let markOpen = () => {}
    const open = new Promise<void>(resolve => (markOpen = resolve))
    const client = connect({
      url: `${url.replace('http', 'ws')}/ws`,
      token: () => world.tokens[person] ?? '',
      state: (state: LiveState) => state === 'open' && markOpen(),
      gap(from) {
        if (from !== join) return
        gaps++
        if (join === 'auth') unread = undefined
        listener.gapAt = Date.now()
      },
    })
    client.on(event, (data, frame) => {
      const { content } = (event === 'notification:new' ? Object(Object(data).data) : Object(data)) as TimedAttempt
      if (!content) return
      const time = new Date().toISOString().slice(11, 19)
      const offset = `${frame.offset}${frame.recovered ? ' recovered' : ''} ${time}`
      listener.offsetsByComment.set(content, [...(listener.offsetsByComment.get(content) ?? []), offset])
    })
    for (const count of ['notification:count', 'notification:read'])
      client.on(count, data => (unread = (data as { unread?: number }).unread ?? unread))
    if (join === 'joinPage') client.join(join, world.ids['page'])
    await open
    return { listener, client }
  }
  const subscriptions = await Promise.all([
    open('the author in the room of the page', news, 'admin', 'comment.created', 'joinPage'),
    open('a colleague in the room of the page', news, 'colleague', 'comment.created', 'joinPage'),
    open('the author among notifications', notification, 'admin', 'notification:new', 'auth'),
  ])

  const missingFrames = (comments: TimedAttempt[]): string[] =>
    subscriptions.flatMap(({ listener: { name, gapAt, offsetsByComment } }) =>
      comments
        .filter(({ content, startedAt }) => startedAt > gapAt && !offsetsByComment.has(content))
        .map(({ content }) => `${content}: ${name}`),
    )
  /** REST is read first, so that frames that arrive meanwhile are newer. */
  const readWrongCounts = async (): Promise<string[]> => {
    const path = '/api/v1/notifications/unread-count'
    const { status, body } = await call(world.urls, 'notification', 'GET', path, { token: world.tokens.admin })
    if (status !== 200) return [`${path}: ${status}`]
    return unread === undefined || unread === body['count'] ? [] : [`told ${unread}, there are ${body['count']}`]
  }
  return {
    /** Judges once all of these comments have been received, after a minute and a half at most. */
    async judge(comments: TimedAttempt[]): Promise<SocketVerdict> {
      const until = Date.now() + 90_000
      let wrongCounts = await readWrongCounts()
      while ((missingFrames(comments).length > 0 || wrongCounts.length > 0) && Date.now() < until) {
        await sleep(200)
        wrongCounts = await readWrongCounts()
      }
      const duplicateFrames = subscriptions.flatMap(({ listener: { name, offsetsByComment } }) =>
        [...offsetsByComment].flatMap(([content, offsets]) =>
          offsets.length > 1 ? [`${content}: ${name}, at ${offsets.join(' and ')}`] : [],
        ),
      )
      const verdict = { faults: { missingFrames: missingFrames(comments), duplicateFrames, wrongCounts }, gaps }
      gaps = 0
      // Reset to one, so that the next round reports only new duplicates.
      for (const { offsetsByComment } of subscriptions.map(({ listener }) => listener))
        for (const [content, offsets] of offsetsByComment) offsetsByComment.set(content, offsets.slice(0, 1))
      return verdict
    },
    stop() {
      for (const { client } of subscriptions) client.close()
    },
  }
}
