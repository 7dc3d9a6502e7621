import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPrograms } from '../../../cli/stack/packages.ts'
import { type Stack, startStack } from '../../../cli/stack/stack.ts'

const say = (line: string) => console.log(`  ${line}`)

/**
 * Runs something over a database server of its own, durable as in production, and with a program for brokers
 * (startPlatform starts one for each platform); ends the server afterwards and deletes what it stored.
 */
export async function withOwnServers<T>(run: () => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'own-servers-'))
  const folder = path.join(dataDir, 'packages')
  let starting: Promise<Stack> | undefined
  const end = async () => {
    const stack = await starting?.catch(() => undefined)
    await stack?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const interrupted = () => void end().finally(() => process.exit(130))
  process.once('SIGINT', interrupted).once('SIGTERM', interrupted)
  try {
    const { 'nats-server': broker } = await findPrograms({ names: ['nats-server'], folder, say })
    if (broker) process.env['TEST_NATS_PROGRAM'] ??= broker.path
    starting = startStack({ dataDir, say, only: ['database'] })
    process.env['TEST_DATABASE_URL'] = (await starting).adminDatabaseUrl
    return await run()
  } finally {
    process.off('SIGINT', interrupted).off('SIGTERM', interrupted)
    await end()
  }
}

/** Runs something over the database server that TEST_DATABASE_URL names, or one of its own when it names none. */
export const withServers = <T>(run: () => Promise<T>): Promise<T> =>
  process.env['TEST_DATABASE_URL'] ? run() : withOwnServers(run)
