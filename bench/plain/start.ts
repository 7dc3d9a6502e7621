import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Platform } from '../../test/kit/platform/platform.ts'
import { endChild } from '../../test/kit/process.ts'
import { signToken } from './token.ts'

export const databaseOf = (url: string | undefined): string => new URL(url ?? '').pathname.slice(1)

/**
 * Starts the plain program.
 * @param schema of its pages
 * @param settings further ones
 */
export async function startPlain({ env }: Platform, schema: string, settings: NodeJS.ProcessEnv = {}) {
  const secret = randomBytes(24).toString('hex')
  const child = fork(fileURLToPath(new URL('./mix.ts', import.meta.url)), {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PLAIN_DATABASE_URL: process.env['TEST_DATABASE_URL'],
      PLAIN_SCHEMA: schema,
      PLAIN_MEMBER: databaseOf(env['MEMBER_DATABASE_URL']),
      PLAIN_SECRET: secret,
      ...settings,
    },
  })
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    tokenOf: (memberId: string): string => signToken(secret, memberId),
    stop: () => endChild(child, 'SIGTERM'),
  }
}
