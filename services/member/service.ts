import { closeDatabase, openDatabase, pingDatabase } from '../kernel/database.ts'
import type { ServiceModule } from '../kernel/host.ts'
import { migrate } from '../kernel/migrate.ts'
import { startRelay } from '../kernel/relay.ts'
import { accessService } from './access.ts'
import { memberConfig } from './config.ts'
import { seedPermissions } from './permissions.seed.ts'
import { type Tables, tenantTables } from './tables.ts'

/** Members, workspaces and the two-level access control of the platform (document 2). */
export const service: ServiceModule = {
  name: 'member',
  async start({ env, log, bus }) {
    const config = memberConfig(env)
    await migrate(config.DATABASE_URL, new URL('./migrations/', import.meta.url), line => log.info(line))
    const db = openDatabase<Tables>(config.DATABASE_URL, { tables: tenantTables })
    await seedPermissions(db)
    const relay = startRelay(db, bus, { log })
    return {
      rpcs: [accessService({ db })],
      ready: () => pingDatabase(db),
      async stop() {
        await relay.stop()
        await closeDatabase(db)
      },
    }
  },
}
