import { randomBytes } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Kysely } from 'kysely'
import { AccountSupportService } from '../../../gen/platform/auth/v1/account_support_pb.ts'
import { AccountService } from '../../../gen/platform/auth/v1/accounts_pb.ts'
import { CredentialService } from '../../../gen/platform/auth/v1/credentials_pb.ts'
import { InvitationService } from '../../../gen/platform/auth/v1/invitations_pb.ts'
import { PasswordService } from '../../../gen/platform/auth/v1/passwords_pb.ts'
import { SessionService } from '../../../gen/platform/auth/v1/sessions_pb.ts'
import { SignInService } from '../../../gen/platform/auth/v1/sign_in_pb.ts'
import { UserService } from '../../../gen/platform/auth/v1/users_pb.ts'
import { service } from '../../../services/auth/service.ts'
import type { AuthTables } from '../../../services/auth/tables.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { newToken } from '../../../services/kernel/base/secrets.ts'
import { openDatabase } from '../../../services/kernel/database/database.ts'
import { type RpcServer, startRpcServer } from '../../../services/kernel/rpc/server.ts'
import { callersOf, startTestHost, type suite, type TestHost } from '../kit.ts'
import { type AuthNeighbours, mailStandIn, memberStandIns, newNeighbours, type Pending } from './neighbours.ts'

export const password = 'correct horse 7'
export const newPassword = 'another horse 8'
/** The first administrator of a platform that starts with `bootstrap`. */
export const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
export const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: chief.email, BOOTSTRAP_ADMIN_PASSWORD: chief.password }

export const authServices = {
  accounts: AccountService,
  credentials: CredentialService,
  invitations: InvitationService,
  passwords: PasswordService,
  sessions: SessionService,
  signIn: SignInService,
  support: AccountSupportService,
  users: UserService,
}

type AuthHost = TestHost & {
  next: AuthNeighbours
  db: Kysely<AuthTables>
  /** An e-mail address that no other test uses. */
  newEmail(): string
  /** Creates an invitation as the member service would, and returns its token. */
  invite(email: string, change?: Partial<Pending>): string
}

/** The authentication service on its own database, between stand-ins of its neighbours. */
export async function startAuthHost(extra: Record<string, string> = {}): Promise<AuthHost> {
  const next = newNeighbours()
  const member = await serve(memberStandIns(next))
  const notification = await serve([mailStandIn(next)])
  const host = await startTestHost([service], {
    MEMBER_RPC_URL: `http://127.0.0.1:${member.port}`,
    NOTIFICATION_RPC_URL: `http://127.0.0.1:${notification.port}`,
    SIGN_IN_LIMIT: '1000',
    ...extra,
  })
  const db = openDatabase<AuthTables>(host.databaseUrl('auth'))
  return {
    ...host,
    next,
    db,
    newEmail: () => `${randomBytes(6).toString('hex')}@hotel.example`,
    invite(email, change = {}) {
      const token = newToken()
      next.invitations.push({
        id: newId(),
        email,
        token,
        workspaceId: newId(),
        ecosystemId: newId(),
        workspaceRole: 'member',
        status: 'pending',
        expiresAt: timestampFromDate(new Date(Date.now() + 1e6)),
        ...change,
      })
      return token
    },
    async end() {
      await db.destroy()
      await host.end().finally(() => Promise.all([member.close(), notification.close()]))
    },
  }
}

/** The same for the tests of one file, with clients. It ends with the suite. */
export async function authForTest(test: ReturnType<typeof suite>, extra: Record<string, string> = {}) {
  const host = await startAuthHost(extra)
  test.after(() => host.end())
  const callers = callersOf(host, authServices)
  return {
    host,
    db: host.db,
    ...callers,
    /** Registers an account. */
    async account() {
      const email = host.newEmail()
      const answer = await callers.anonymous.signIn.register({ email, password })
      const me = callers.withToken(answer.accessToken).users
      return { ...answer, email, id: answer.user?.id ?? '', me }
    },
  }
}

/** A stand-in for the notification service alone: the mails it received, and its address. */
export async function startMailbox() {
  const { mails, ...next } = newNeighbours()
  const server = await serve([mailStandIn({ mails, ...next })])
  return { mails, url: `http://127.0.0.1:${server.port}`, end: () => server.close() }
}

const serve = (rpcs: Parameters<typeof startRpcServer>[0]['rpcs']): Promise<RpcServer> =>
  startRpcServer({ rpcs, interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })
