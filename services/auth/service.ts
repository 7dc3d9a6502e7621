import { SettingService } from '../../gen/platform/hotel/v1/settings_pb.ts'
import { MailService } from '../../gen/platform/notification/v1/mail_pb.ts'
import { signInsEndedSubject } from '../kernel/access/accounts.ts'
import { toRpcError } from '../kernel/base/errors.ts'
import { cipher } from '../kernel/base/secrets.ts'
import { normalizeEmail } from '../kernel/base/text.ts'
import { startConsumer } from '../kernel/bus/consume.ts'
import { startRelay } from '../kernel/bus/relay.ts'
import { closeDatabase, pingDatabase } from '../kernel/database/database.ts'
import { watchQueue } from '../kernel/database/gauges.ts'
import { openMigrated } from '../kernel/database/migrate.ts'
import type { ServiceModule } from '../kernel/rpc/host.ts'
import type { Rpc } from '../kernel/rpc/implement.ts'
import { accountService } from './accounts/accounts.ts'
import { ensureAdministratorAccount, introduceAdministrator } from './accounts/bootstrap.ts'
import { startCleaning } from './accounts/cleaning.ts'
import { erasedMembers } from './accounts/erasure.ts'
import { departedMembers, revokedAdministrators } from './accounts/former-members.ts'
import { userService } from './accounts/own.ts'
import { logAttempts } from './accounts/security-log.ts'
import { accountSupportService } from './accounts/support.ts'
import { readConfig } from './config.ts'
import type { Context } from './context.ts'
import { credentialService } from './credentials/credentials.ts'
import { createHasher } from './hashing/hashing.ts'
import { invitationService } from './invitations/invitations.ts'
import { startLegacy } from './legacy/legacy.ts'
import { createLimits } from './limits/limits.ts'
import { loadMailQueue } from './mails/mails.sql.ts'
import { startMailer } from './mails/mails.ts'
import { memberClient } from './members.ts'
import { passwordService } from './passwords/passwords.ts'
import { sessionService } from './sessions/sessions.ts'
import { signInService } from './sign-in/sign-in.ts'
import { type AuthTables, tenantTables } from './tables.ts'
import { onSignInsEnded } from './users/events.ts'

type RunningVersion = { rpcs: Rpc[]; stop(): Promise<void> }

/** Authentication, modern and legacy, over one store of users. */
export const service: ServiceModule = {
  name: 'auth',
  async start(runtime) {
    const { env, log, bus, tokens, accounts, client, metrics } = runtime
    const config = readConfig(env)
    const db = await openMigrated<AuthTables>('auth', config.DATABASE_URL, log, { tables: tenantTables })
    const mailer = startMailer({
      db,
      mailCipher: cipher('queued-mail', config.storageKeys),
      client: client(MailService),
      log,
    })
    watchQueue(metrics.registry, db, 'account-mails', () => loadMailQueue(db))
    const hasher = await createHasher({ hasBlocklist: config.hasBlocklist })
    const parts: Context = {
      db,
      config,
      tokens,
      log,
      hasher,
      limits: createLimits(db, config),
      members: memberClient(client),
      hotels: client(SettingService),
      mails: mailer,
      storedSecretCipher: cipher('stored-secret', config.storageKeys),
    }
    // Before the response is sent, so that this process refuses the very next call; other processes follow over the
    // bus.
    const unsubscribe = onSignInsEnded(userId => {
      accounts.evict(userId)
      bus.publishCore(signInsEndedSubject, JSON.stringify({ userId }))
    })
    // Removing the legacy version from this list ends it.
    const versions: RunningVersion[] = [startLegacy(parts)]
    const runningParts = [
      hasher,
      ...versions,
      mailer,
      startRelay(db, bus, { log }),
      startCleaning(db, log),
      startConsumer({ bus, db, log, ...erasedMembers(db) }),
      startConsumer({ bus, db, log, ...revokedAdministrators(parts) }),
      startConsumer({ bus, db, log, ...departedMembers(parts) }),
    ]
    const { BOOTSTRAP_ADMIN_EMAIL: email, BOOTSTRAP_ADMIN_PASSWORD: password } = config
    let administrator: ReturnType<typeof introduceAdministrator> | undefined
    if (email && password) {
      const account = await ensureAdministratorAccount(parts, { email, password }).catch((error: unknown) => {
        // Another person's account has the address: the platform works, and its operator must choose another.
        if (toRpcError(error).info.status !== 409) throw error
        log.error('BOOTSTRAP_ADMIN_EMAIL is the unverified address of an account that is not an administrator')
      })
      if (account && !account.isPasswordCurrent)
        log.warn('BOOTSTRAP_ADMIN_PASSWORD is not the password of the administrator, whose account keeps its own')
      if (account) administrator = introduceAdministrator(parts, { id: account.userId, email: normalizeEmail(email) })
    }
    return {
      rpcs: [
        ...[
          signInService(parts),
          passwordService(parts),
          userService(parts),
          invitationService(parts),
          sessionService(parts),
          credentialService(parts),
          accountSupportService(parts),
          ...versions.flatMap(({ rpcs }) => rpcs),
        ].map(rpc => logAttempts(log, rpc)),
        accountService(parts),
      ],
      idempotency: { db },
      ready: () => pingDatabase(db),
      afterStart: async () => administrator?.first(),
      async stop() {
        unsubscribe()
        await administrator?.stop()
        await Promise.all(runningParts.map(one => one.stop()))
        await closeDatabase(db)
      },
    }
  },
}
