import { randomBytes } from 'node:crypto'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Kysely } from 'kysely'
import { service } from '../../../services/auth/service.ts'
import type { Tables } from '../../../services/auth/tables.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { newToken } from '../../../services/kernel/base/secrets.ts'
import { openDatabase } from '../../../services/kernel/database/database.ts'
import { type RpcServer, startRpcServer } from '../../../services/kernel/rpc/server.ts'
import { startTestHost, type TestHost } from '../kit.ts'
import { mailStandIn, memberStandIns, type Neighbours, newNeighbours, type Pending } from './neighbours.ts'

export const password = 'correct horse 7'
export const newPassword = 'another horse 8'
/** The first administrator of a platform that starts with `bootstrap`. */
export const chief = { email: 'chief@platform.example', password: 'chief horse 99' }
export const bootstrap = { BOOTSTRAP_ADMIN_EMAIL: chief.email, BOOTSTRAP_ADMIN_PASSWORD: chief.password }

type AuthHost = TestHost & {
  next: Neighbours
  db: Kysely<Tables>
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
  const db = openDatabase<Tables>(host.databaseUrl('auth'))
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

/** A stand-in for the notification service alone: the mails it received, and its address. */
export async function startMailbox() {
  const { mails, ...next } = newNeighbours()
  const server = await serve([mailStandIn({ mails, ...next })])
  return { mails, url: `http://127.0.0.1:${server.port}`, end: () => server.close() }
}

const serve = (rpcs: Parameters<typeof startRpcServer>[0]['rpcs']): Promise<RpcServer> =>
  startRpcServer({ rpcs, interceptors: [], host: '127.0.0.1', port: 0, healthy: async () => true })
