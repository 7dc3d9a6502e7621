import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../../cli/tour/client.ts'
import type { World } from '../../../cli/tour/world.ts'
import { connect, type LiveState } from '../../../edge/live/client/client.js'

/** How often each comment came in a frame, and those that were read over REST because frames may be missed. */
type Heard = { frames: Map<string, number>; read: Set<string> }

/** Result of the sockets. */
type SocketReport = {
  /** Lost connections by close code. */
  closed: Record<number, number>
  /** How often a client was told that frames may be missed, and read the comments again. */
  gaps: number
  /** Comments that a client didn't learn of, or received more than once, and how often each received it. */
  unheard: string[]
}

/**
 * Opens sockets with the platform's own client in the page's room, and counts what each receives across its
 * connections. As applications do, a client that may have missed frames reads the comments over REST.
 */
export async function watchSockets(world: World, count: number) {
  const closed: Record<number, number> = {}
  const heard: Heard[] = []
  let gaps = 0
  const readAgain = async (own: Heard): Promise<void> => {
    for (const until = Date.now() + 30_000; Date.now() < until; await sleep(500)) {
      const path = `/api/v1/comments/page/${world.ids['page']}`
      const answer = await call(world.urls, 'news', 'GET', path, { token: world.tokens.admin }).catch(() => undefined)
      if (answer?.status !== 200) continue
      for (const { content } of answer.body['data'] as { content: string }[]) own.read.add(content)
      return
    }
  }
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const own: Heard = { frames: new Map(), read: new Set() }
      heard.push(own)
      let opened = () => {}
      const open = new Promise<void>(resolve => (opened = resolve))
      const client = connect({
        url: `${world.urls.news.replace('http', 'ws')}/ws`,
        token: () => world.tokens.admin ?? '',
        state(state: LiveState, code?: number) {
          if (state === 'open') opened()
          if (code !== undefined) closed[code] = (closed[code] ?? 0) + 1
        },
        gap(event) {
          if (event !== 'joinPage') return
          gaps++
          void readAgain(own)
        },
        on(event, data) {
          const { content } = data as { content?: string }
          if (event === 'comment.created' && content) own.frames.set(content, (own.frames.get(content) ?? 0) + 1)
        },
      })
      client.join('joinPage', world.ids['page'])
      await open
      return client
    }),
  )
  const missing = (contents: string[]): string[] =>
    contents.flatMap(content => {
      const times = heard.map(({ frames }) => frames.get(content) ?? 0)
      const isKnown = heard.every(({ read }, index) => times[index] === 1 || (times[index] === 0 && read.has(content)))
      return isKnown ? [] : [`${content}: ${times.join(', ')} times`]
    })
  return {
    /** Waits until all comments have been received everywhere, for half a minute at most. */
    async settled(contents: string[]): Promise<SocketReport> {
      for (const until = Date.now() + 30_000; missing(contents).length > 0 && Date.now() < until; ) await sleep(100)
      return { closed: { ...closed }, gaps, unheard: missing(contents) }
    },
    stop() {
      for (const client of clients) client.close()
    },
  }
}
