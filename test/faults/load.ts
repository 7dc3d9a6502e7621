import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'

/** What a client knows of one comment it tried to write. */
export type Attempt = { content: string; outcome: 'acknowledged' | 'unknown' | 'refused' }

/** The same with the time when it was tried, in ms since 1970. */
export type Written = Attempt & { begun: number }

/**
 * Writes comments, a few at a time, and keeps what came of each apart from the platform (Jepsen's way): what was
 * answered 201 must be there, what broke off may be there once, what was refused must not be there at all.
 */
export function startWriting(world: World, writers: number, prefix = 'comment') {
  const attempts: Written[] = []
  let running = true
  const write = async (writer: number) => {
    for (let i = 0; running; i++) {
      const content = `${prefix} ${writer}-${i}`
      const begun = Date.now()
      const outcome = await tryToWrite(world, content)
      attempts.push({ content, outcome, begun })
      // Clients wait a moment after a failure; without it they would only measure refusals.
      await sleep(outcome === 'acknowledged' ? 20 : 100)
    }
  }
  const done = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    attempts,
    async stop() {
      running = false
      await done
    },
  }
}

async function tryToWrite(world: World, content: string): Promise<Attempt['outcome']> {
  const body = { pageId: world.ids['page'], content }
  try {
    const { status } = await call(world.urls, 'news', 'POST', '/api/v1/comments', {
      token: world.tokens.colleague,
      body,
    })
    if (status === 201) return 'acknowledged'
    // 4xx says that nothing was done; a 5xx may have lost its answer on the way back.
    return status < 500 ? 'refused' : 'unknown'
  } catch {
    return 'unknown'
  }
}
