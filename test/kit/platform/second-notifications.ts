import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Platform } from './platform.ts'
import { freePorts } from './ports.ts'

/** Another process of the notification service of a running platform. */
export async function secondNotifications(platform: Platform): Promise<{ port: string; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1)
  const env = { ...platform.env, SERVICES: 'notification', NOTIFICATION_RPC_PORT: String(port) }
  const child = fork(fileURLToPath(new URL('../../../services/main.ts', import.meta.url)), {
    env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [{ type?: string } | number]
  if (typeof message !== 'object' || message?.type !== 'ready') throw new Error('the second process did not start')
  return {
    port: String(port),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
