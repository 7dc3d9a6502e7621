import { randomBytes } from 'node:crypto'
import { portSettings } from '../../edge/config.ts'
import { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { silentLog } from '../../services/kernel/process/log.ts'
import { type ServiceModule, serviceNames, startHost } from '../../services/kernel/rpc/host.ts'
import { testBus } from '../../test/kit/bus.ts'
import type { LivePerson } from '../../test/kit/live/services.ts'
import { members, news } from '../../test/kit/live/services.ts'
import { freePorts } from '../../test/kit/platform/ports.ts'

/*
 * The neighbours of an edge process in a separate process: a broker, and services that list the members, so that no
 * database needs thousands of accounts. There are BENCH_PEOPLE members of one workspace.
 */
const workspace = { workspaceId: newId(), ecosystemId: newId() }
const people: LivePerson[] = Array.from({ length: Number(process.env['BENCH_PEOPLE']) }, () => ({
  userId: newId(),
  memberId: newId(),
  workspaces: [workspace],
}))
const getAccountState = async () => ({ isActive: true, sessionActive: true })
const accounts: ServiceModule = {
  name: 'auth',
  start: async () => ({
    rpcs: [{ service: AccountService, implementation: { getAccountState } as object }],
    ready: async () => {},
    stop: async () => {},
  }),
}
const bus = await testBus()
const edgePorts = portSettings.map(setting => [setting, '0'])
const free = await freePorts(serviceNames.length)
const rpcPorts = serviceNames.map((name, index) => [name.toUpperCase(), free[index]] as const)
const env = {
  JWT_ACCESS_SECRET: randomBytes(32).toString('hex'),
  SERVICE_API_KEY: randomBytes(32).toString('hex'),
  AMQP_GATEWAY_URL: bus.url,
  AMQP_EXCHANGE_NAME: bus.stream,
  LOG_LEVEL: 'warn',
  METRICS_PORT: '0',
  ...Object.fromEntries(edgePorts),
  ...Object.fromEntries(rpcPorts.map(([name, port]) => [`${name}_RPC_PORT`, String(port)])),
  ...Object.fromEntries(rpcPorts.map(([name, port]) => [`${name}_RPC_URL`, `http://127.0.0.1:${port}`])),
}
const host = await startHost([members(people), news([]), accounts], env, silentLog, { accounts: 'unchecked' })
const nobody = { email: 'a@hotel.example', isAdmin: false, memberId: null, workspaceId: null, sessionId: null }
const tokenOf = ({ userId }: LivePerson): string =>
  host.tokens.issue({ ...nobody, userId, roles: [], permissions: [], kind: 'modern' }, 3_600)

const data = { id: newId(), title: 'Weekly news', text: 'x'.repeat(170) }
const frame = JSON.stringify({ rooms: [`workspace:${workspace.workspaceId}`], event: 'news.created', data })

process.on('disconnect', () => process.exit())
process.on('SIGTERM', () => void Promise.all([host.stop(), bus.close()]).then(() => process.exit(0)))
process.send?.({
  env,
  // The broker's own protocol, as the client library sends `publish`.
  trigger: {
    host: new URL(bus.url).hostname,
    port: Number(new URL(bus.url).port),
    hello: 'CONNECT {"verbose":false}\r\n',
    event: `PUB live.frames ${frame.length}\r\n${frame}\r\n`,
  },
  tokens: people.map(tokenOf),
})
