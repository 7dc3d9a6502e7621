import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Urls } from '../../../cli/tour/client.ts'
import { consoleListener, listeners } from '../../../edge/config.ts'
import type { Platform } from './platform.ts'
import { freePorts } from './ports.ts'

/** Another edge process in front of a running platform, on its own ports. */
export async function secondEdge(platform: Platform): Promise<{ urls: Urls; stop(): Promise<void>; kill(): void }> {
  const settings = [...new Set([...Object.values(listeners), consoleListener].map(one => one.setting))]
  const free = await freePorts(settings.length)
  const ports = Object.fromEntries(settings.map((name, at) => [name, String(free[at])]))
  ports['LEGACY_AUTH_PORT'] = ports['NOTIFICATION_PORT'] ?? ''
  const child = fork(fileURLToPath(new URL('../../../edge/main.ts', import.meta.url)), {
    env: { ...platform.env, ...ports },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [{ type?: string } | number]
  if (typeof message !== 'object' || message?.type !== 'ready') throw new Error('the second edge did not start')
  return {
    urls: Object.fromEntries(
      Object.entries(listeners).map(([name, { setting }]) => [name, `http://127.0.0.1:${ports[setting]}`]),
    ) as Urls,
    kill: () => void child.kill('SIGKILL'),
    async stop() {
      const gone = once(child, 'exit')
      child.kill('SIGTERM')
      await gone
    },
  }
}
