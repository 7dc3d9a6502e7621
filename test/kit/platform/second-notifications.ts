import { ready, startProcess } from '../process.ts'
import type { Platform } from './platform.ts'
import { freePorts } from './ports.ts'

/** Another process of the notification service of a running platform. */
export async function secondNotifications(platform: Platform): Promise<{ port: string; stop(): Promise<void> }> {
  const [port = 0] = await freePorts(1)
  const env = { ...platform.env, SERVICES: 'notification', NOTIFICATION_RPC_PORT: String(port) }
  const { child, stop } = startProcess('services/main.ts', env)
  await ready('the second process', child)
  return { port: String(port), stop: async () => void (await stop()) }
}
