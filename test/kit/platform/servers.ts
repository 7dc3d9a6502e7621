import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findPrograms } from '../../../cli/stack/packages.ts'
import { type Stack, startStack } from '../../../cli/stack/stack.ts'

const print = (line: string) => console.log(`  ${line}`)

/**
 * Runs a function over a separate database server, durable as in production, and with a broker program (startPlatform
 * starts a broker per platform). Then ends the server and deletes its data.
 */
export async function withOwnServers<T>(run: () => Promise<T>): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'own-servers-'))
  const originalUrl = process.env['TEST_DATABASE_URL']
  let starting: Promise<Stack> | undefined
  const end = async () => {
    const stack = await starting?.catch(() => undefined)
    await stack?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const endAndExit = () => void end().finally(() => process.exit(130))
  process.once('SIGINT', endAndExit).once('SIGTERM', endAndExit)
  try {
    const { 'nats-server': broker } = await findPrograms(['nats-server'], print)
    if (broker) process.env['TEST_NATS_PROGRAM'] ??= broker.path
    starting = startStack({ dataDir, print, startOnly: ['database'] })
    process.env['TEST_DATABASE_URL'] = (await starting).adminDatabaseUrl
    return await run()
  } finally {
    process.off('SIGINT', endAndExit).off('SIGTERM', endAndExit)
    if (originalUrl) process.env['TEST_DATABASE_URL'] = originalUrl
    else delete process.env['TEST_DATABASE_URL']
    await end()
  }
}

/** Runs a function over the database server of TEST_DATABASE_URL, or over a separate one. */
export const withServers = <T>(run: () => Promise<T>): Promise<T> =>
  process.env['TEST_DATABASE_URL'] ? run() : withOwnServers(run)
