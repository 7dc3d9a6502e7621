import { join } from 'node:path'
import { newId } from '../../../services/kernel/base/ids.ts'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'
import { testBus } from '../database.ts'

/** Where a backup is restored: settings of an empty installation. */
export type EmptyPlace = { env: Environment; remove(): Promise<void> }

/** An empty installation with the secrets of another: empty schemas, a new broker, an empty folder. */
export async function emptyPlace(sourceEnv: Environment, dataDir: string): Promise<EmptyPlace> {
  const server = process.env['TEST_DATABASE_URL'] ?? ''
  const bus = await testBus()
  const nameOf = Object.fromEntries(serviceNames.map(name => [name, `restored_${newId()}_${name}`]))
  const onServer = async (statementOf: (name: string) => string): Promise<void> => {
    const connection = await connectDatabase(server)
    for (const name of Object.values(nameOf)) await connection.query(statementOf(name))
    await connection.end()
  }
  await onServer(name => `create database ${name} character set utf8mb4 collate utf8mb4_unicode_ci`)
  const url = (service: string) => Object.assign(new URL(server), { pathname: `/${nameOf[service]}` }).href
  const secrets = Object.entries(sourceEnv).filter(([name]) => /^(JWT_|PASSWORD_|SERVICE_API|BOOTSTRAP)/.test(name))
  const env: Environment = {
    ...Object.fromEntries(secrets),
    PATH: process.env['PATH'],
    ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, url(name)])),
    NEWS_MEMBER_DATABASE_URL: url('member'),
    NOTIFICATION_MEMBER_DATABASE_URL: url('member'),
    AMQP_GATEWAY_URL: bus.url,
    AMQP_EXCHANGE_NAME: bus.stream,
    DATA_DIR: dataDir,
    MEDIA_DIR: join(dataDir, 'media'),
    SANDBOX_DATA_DIR: join(dataDir, 'sandbox'),
  }
  return {
    env,
    async remove() {
      await bus.close()
      await onServer(name => `drop database if exists ${name}`)
    },
  }
}
