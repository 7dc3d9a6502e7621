import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

export type CrowdSockets = {
  /** How many are open now, and how many reconnected since the start. */
  count(): Promise<{ open: number; reconnected: number }>
  stop(): void
}

/** Opens a socket for each token with the platform's own client, which reconnects, in a separate process. */
export async function openCrowdSockets(url: string, tokens: string[]): Promise<CrowdSockets> {
  const child = fork(fileURLToPath(new URL('./crowd-sockets.main.ts', import.meta.url)))
  const answer = async (message: object): Promise<never> => {
    child.send(message)
    return (await once(child, 'message'))[0] as never
  }
  await answer({ url, tokens })
  return { count: () => answer({ count: true }), stop: () => void child.kill() }
}
