import { setTimeout as sleep } from 'node:timers/promises'
import { call } from '../../cli/tour/client.ts'
import type { World } from '../../cli/tour/world.ts'

/** A client's knowledge of a comment that it tried to write. */
export type Attempt = { content: string; outcome: 'acknowledged' | 'unknown' | 'refused' }

/** The same with the time of the attempt, in ms since 1970. */
export type TimedAttempt = Attempt & { startedAt: number }

/**
 * Writes comments, a few at a time, and records each outcome outside the platform, as Jepsen does: after a 201 the
 * comment must exist, after a lost answer it may exist once, after a refusal it must not exist.
 */
export function startWriting(world: World, writers: number, prefix = 'comment', pauseMs = 20) {
  const attempts: TimedAttempt[] = []
  let isRunning = true
  const write = async (writer: number) => {
    for (let i = 0; isRunning; i++) {
      const content = `${prefix} ${writer}-${i}`
      const startedAt = Date.now()
      const outcome = await tryToWrite(world, content)
      attempts.push({ content, outcome, startedAt })
      // A pause after failures, or the load would consist of refusals.
      await sleep(outcome === 'acknowledged' ? pauseMs : Math.max(pauseMs, 100))
    }
  }
  const loops = Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
  return {
    attempts,
    async stop() {
      isRunning = false
      await loops
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
    // A 4xx did nothing; with a 5xx, the comment may have been written.
    return status < 500 ? 'refused' : 'unknown'
  } catch {
    return 'unknown'
  }
}
