import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import type { Transport } from '@connectrpc/connect'
import type { AccessClaims } from '../kernel/tokens.ts'

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

/** Ports for the services that a hotel service in a process or host of its own calls, and their settings. */
export async function portsApart() {
  const ports = { AUTH: await freePort(), MEMBER: await freePort(), MEDIA: await freePort(), PAYMENT: await freePort() }
  const entries = Object.entries(ports)
  return { entries, settings: Object.fromEntries(entries.map(([name, port]) => [`${name}_RPC_PORT`, `${port}`])) }
}

/** The transport with a caller's token on unary calls. */
export const withToken = (transport: Transport, token: string): Transport => ({
  ...transport,
  unary: (method, signal, timeoutMs, _header, input, values) =>
    transport.unary(method, signal, timeoutMs, { authorization: `Bearer ${token}` }, input, values),
})

/** What a platform administrator's token says, but for the user. */
export const rootClaims: Omit<AccessClaims, 'iat' | 'exp' | 'userId'> = {
  email: 'root@platform.example',
  isAdmin: false,
  memberId: null,
  workspaceId: null,
  roles: [],
  permissions: [],
  kind: 'modern',
  sessionId: null,
}
