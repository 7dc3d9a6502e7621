import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** How many sockets are open now, and how many reconnected since the start. */
type SocketCount = { open: number; reconnected: number }

export type CrowdSockets = {
  count(): Promise<SocketCount>
  stop(): void
}

/** Opens a socket for each token with the platform's own client, which reconnects, in a separate process. */
export async function openCrowdSockets(url: string, tokens: string[]): Promise<CrowdSockets> {
  const child = fork(fileURLToPath(new URL('./crowd-sockets.main.ts', import.meta.url)))
  const answer = async (message: object): Promise<SocketCount> => {
    child.send(message)
    const [count] = await once(child, 'message')
    return count
  }
  await answer({ url, tokens })
  return { count: () => answer({ count: true }), stop: () => void child.kill() }
}
