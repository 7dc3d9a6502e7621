import { setTimeout as sleep } from 'node:timers/promises'
import { administrator } from '../../cli/stack/accounts.ts'
import { startMariadb } from '../../cli/stack/mariadb.ts'
import { findPrograms } from '../../cli/stack/packages.ts'
import { loadSecrets } from '../../cli/stack/secrets.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import type { Environment } from '../../services/kernel/process/config.ts'

/** Starts a database server with durable commits that can be killed and restarts by itself. */
export async function createDatabaseServer(folder: string) {
  const { mariadbd: program } = await findPrograms(['mariadbd'], () => undefined)
  if (!program) throw new Error('there is no mariadbd')
  const options = { program, dataDir: folder, secrets: loadSecrets(folder), ephemeral: false, print: () => undefined }
  const server = await startMariadb({ ...options, longestPauseMs: 200 })
  const member = server.url('member', 'member')
  const env: Environment = {
    ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, server.url(name, name)])),
    NEWS_MEMBER_DATABASE_URL: member,
    NOTIFICATION_MEMBER_DATABASE_URL: member,
  }
  return {
    env,
    /** An account that may create databases. */
    administratorUrl: server.url(administrator),
    stop: server.stop,
    /** kill -9; resolves when the server answers again. */
    async kill(): Promise<void> {
      const pid = server.pid()
      process.kill(pid, 'SIGKILL')
      while (server.pid() === pid) await sleep(20)
      for (let tries = 0; ; tries++) {
        try {
          const connection = await connectDatabase(member, { connectTimeout: 2_000 })
          await connection.end()
          return
        } catch (error) {
          if (tries === 500) throw error
          await sleep(50)
        }
      }
    },
  }
}
