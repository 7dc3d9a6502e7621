import { randomBytes } from 'node:crypto'
import type { DescService } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { createClient, type Transport } from '@connectrpc/connect'
import { service } from '../../../services/auth/service.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { newToken } from '../../../services/kernel/base/secrets.ts'
import { type RpcServer, startRpcServer } from '../../../services/kernel/rpc/server.ts'
import { startTestHost, type TestHost } from '../kit.ts'
import { mailStandIn, memberStandIns, type Neighbours, newNeighbours, type Pending } from './neighbours.ts'

export const password = 'correct horse 7'

type AuthHost = TestHost & {
  next: Neighbours
  /** A client that calls with the token of an earlier answer. */
  bearing<S extends DescService>(service: S, accessToken: string): ReturnType<typeof createClient<S>>
  /** A client of another service of the platform. */
  asService<S extends DescService>(service: S): ReturnType<typeof createClient<S>>
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
  const calling = <S extends DescService>(desc: S, headers: Record<string, string>) =>
    createClient(desc, withHeaders(host.transport(desc), headers))
  return {
    ...host,
    next,
    bearing: (desc, accessToken) => calling(desc, { authorization: `Bearer ${accessToken}` }),
    asService: desc => calling(desc, { 'x-api-key': host.env['SERVICE_API_KEY'] ?? '' }),
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
    end: () => host.end().finally(() => Promise.all([member.close(), notification.close()])),
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

const withHeaders = (transport: Transport, headers: Record<string, string>): Transport => ({
  unary: (method, signal, timeoutMs, header, input, values) =>
    transport.unary(method, signal, timeoutMs, { ...headers, ...plain(header) }, input, values),
  stream: (method, signal, timeoutMs, header, input, values) =>
    transport.stream(method, signal, timeoutMs, { ...headers, ...plain(header) }, input, values),
})

const plain = (header: ConstructorParameters<typeof Headers>[0]) => Object.fromEntries(new Headers(header))
