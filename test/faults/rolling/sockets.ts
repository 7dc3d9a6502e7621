import { setTimeout as sleep } from 'node:timers/promises'
import type { World } from '../../../cli/tour/world.ts'
import { connect, type State } from '../../../edge/live/client/client.js'

type Heard = Map<string, number>

/** Result of the sockets. */
export type SocketReport = {
  /** Lost connections by close code. */
  closed: Record<number, number>
  /** Comments that a socket didn't receive exactly once, and how often it did. */
  unheard: string[]
}

/**
 * Opens sockets with the platform's own client in the page's room, and counts what each receives across its
 * connections.
 */
export async function watchSockets(world: World, count: number) {
  const closed: Record<number, number> = {}
  const heard: Heard[] = []
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const own: Heard = new Map()
      heard.push(own)
      let opened = () => {}
      const open = new Promise<void>(resolve => (opened = resolve))
      const client = connect({
        url: `${world.urls.news.replace('http', 'ws')}/ws`,
        token: () => world.tokens.admin ?? '',
        state(state: State, code?: number) {
          if (state === 'open') opened()
          if (code !== undefined) closed[code] = (closed[code] ?? 0) + 1
        },
        on(event, data) {
          const { content } = data as { content?: string }
          if (event === 'comment.created' && content) own.set(content, (own.get(content) ?? 0) + 1)
        },
      })
      client.join('joinPage', world.ids['page'])
      await open
      return client
    }),
  )
  const missing = (contents: string[]): string[] =>
    contents.flatMap(content => {
      const times = heard.map(own => own.get(content) ?? 0)
      return times.every(each => each === 1) ? [] : [`${content}: ${times.join(', ')} times`]
    })
  return {
    /** Waits until all comments have been received everywhere, for half a minute at most. */
    async settled(contents: string[]): Promise<SocketReport> {
      for (const until = Date.now() + 30_000; missing(contents).length > 0 && Date.now() < until; ) await sleep(100)
      return { closed: { ...closed }, unheard: missing(contents) }
    },
    stop() {
      for (const client of clients) client.close()
    },
  }
}
