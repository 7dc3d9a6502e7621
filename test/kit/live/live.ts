import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { create, type DescMessage, getOption, type MessageInitShape } from '@bufbuild/protobuf'
import { Registry } from 'prom-client'
import { type ClientOptions, WebSocket } from 'ws'
import { startLive } from '../../../edge/live/server.ts'
import type { SocketLimits } from '../../../edge/live/sockets/limits.ts'
import { event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { rightsChangedSubject } from '../../../services/kernel/access/rights.ts'
import type { AccessClaims } from '../../../services/kernel/access/tokens.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { silentLog } from '../../../services/kernel/process/log.ts'
import { serviceNames, startHost } from '../../../services/kernel/rpc/host.ts'
import { testBus } from '../bus.ts'
import { eventually, nobody } from '../kit.ts'
import { type LivePerson, members, news, type Page } from './services.ts'

export type RoomFrame = {
  event: string
  data: Record<string, unknown>
  id?: string | number
  offset?: string
  recovered?: boolean
}

/** A client's socket and its received frames. */
export type Client = {
  ws: WebSocket
  frames: RoomFrame[]
  send: (frame: unknown) => void
  /** Sends a frame with its own id and waits for the answer. */
  ask: (event: string, data?: unknown) => Promise<RoomFrame>
  /** Waits for a frame of an event. */
  next: (event: string) => Promise<RoomFrame>
  /** Waits for the close and returns its code. */
  closed: () => Promise<number>
}

export type LiveWorld = Awaited<ReturnType<typeof startWorld>>

/** Long limits: on a machine that stalls for seconds, nothing may time out. */
const patient: Partial<SocketLimits> = { settleMs: 30_000, authMs: 30_000 }

/**
 * A real host (bus, gate, transports, rights) with sockets in front of it. The member and news services are stand-ins
 * that answer from the test's lists.
 */
export async function startWorld(people: LivePerson[], pages: Page[] = [], limits: Partial<SocketLimits> = {}) {
  const bus = await testBus()
  const env = {
    JWT_ACCESS_SECRET: randomBytes(32).toString('hex'),
    SERVICE_API_KEY: randomBytes(32).toString('hex'),
    AMQP_GATEWAY_URL: bus.url,
    AMQP_EXCHANGE_NAME: bus.stream,
    ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_RPC_PORT`, '0'])),
  }
  const stranger = (): LivePerson => ({ userId: newId(), memberId: newId(), workspaces: [] })
  /** People outside the tests, for probes; see signals.ts. */
  const scouts = { leaver: stranger(), revoked: stranger(), deleted: stranger() }
  const modules = [members([...people, ...Object.values(scouts)]), news(pages)]
  const host = await startHost(modules, env, silentLog, { accounts: 'unchecked' })
  // A host starts without its broker when that is slow; anything published until then is lost.
  await eventually(() => host.bus.status().connected)
  const ports = [['news'], ['legacyauth', 'notification'], ['hotel'], ['member'], ['auth']]
  const tokenOf = (person: LivePerson, seconds = 900, claims: Partial<AccessClaims> = {}): string =>
    host.tokens.issue({ ...nobody, userId: person.userId, ...claims }, seconds)

  /** Another edge with its own sockets, on the same bus. */
  const anotherEdge = async (edgeLimits: Partial<SocketLimits> = limits) => {
    const servers = await Promise.all(ports.map(async services => ({ server: await listening(), services })))
    const registry = new Registry()
    const its = { ...host, metrics: { ...host.metrics, registry } }
    const limited = {
      host: its,
      log: silentLog,
      origins: new Set(['https://app.example']),
      limits: { ...patient, ...edgeLimits },
    }
    const live = startLive({ servers, ...limited })
    const addressOf = (service: string): string => {
      const carrier = servers.find(({ services }) => services.includes(service))
      if (!carrier) throw new Error(`no server carries ${service}`)
      return `ws://127.0.0.1:${(carrier.server.address() as AddressInfo).port}`
    }
    return {
      live,
      registry,
      servers,
      addressOf,
      /** Opens a socket on a service's port as this person. */
      async open(service: string, person: LivePerson, options: ClientOptions = {}, query = ''): Promise<Client> {
        const headers = { authorization: `Bearer ${tokenOf(person)}`, ...options.headers }
        return openClient(new WebSocket(`${addressOf(service)}/ws${query}`, { ...options, headers }))
      },
      async end() {
        await live.close()
        for (const { server } of servers) server.close()
      },
    }
  }
  const first = await anotherEdge()
  const laterEdges: (typeof first)[] = []

  const world = {
    host,
    bus,
    scouts,
    ...first,
    tokenOf,
    async anotherEdge(edgeLimits?: Partial<SocketLimits>) {
      const edge = await anotherEdge(edgeLimits)
      laterEdges.push(edge)
      return edge
    },
    /** Publishes a frame as services do. */
    publish: (rooms: string[], event: string, data: object = {}, fields: object = {}) =>
      host.bus.publishCore('live.frames', JSON.stringify({ rooms, event, data, ...fields })),
    /** Publishes an event as the services do. */
    async emit<Desc extends DescMessage>(
      desc: Desc,
      payload: MessageInitShape<Desc>,
      overrides: object,
    ): Promise<void> {
      const { key, type } = getOption(desc, eventOption)
      const body = envelopeOf(type, toJson(desc, create(desc, payload)), overrides)
      await host.bus.publish(key, JSON.stringify(body), { id: newId() })
    },
    rightsChanged: (memberIds?: string[]) => host.bus.publishCore(rightsChangedSubject, JSON.stringify({ memberIds })),
    async end() {
      for (const edge of [first, ...laterEdges]) await edge.end()
      await host.stop()
      await bus.close()
    },
  }
  return world
}

/** The documented envelope around a payload. */
export const envelopeOf = (type: string, payload: object, overrides: object = {}) => ({
  type,
  workspaceId: '',
  payload,
  channels: ['socket'],
  metadata: {
    timestamp: '2026-03-01T09:00:00.000Z',
    actor: { id: 'a'.repeat(24), name: 'Ana Roca', type: 'member' },
    receiverIds: [],
    occurrenceId: newId(),
  },
  ...overrides,
})

/** Wraps a client socket once it is open. */
export async function openClient(ws: WebSocket): Promise<Client> {
  const frames: RoomFrame[] = []
  const checks = new Set<() => void>()
  ws.on('message', data => {
    frames.push(JSON.parse((data as Buffer).toString()))
    for (const check of checks) check()
  })
  const closing = new Promise<number>(resolve => ws.once('close', resolve))
  const find = (isIt: (frame: RoomFrame) => boolean): Promise<RoomFrame> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`no such frame among ${JSON.stringify(frames)}`)), 30_000)
      const check = () => {
        const index = frames.findIndex(isIt)
        const [frame] = index < 0 ? [] : frames.splice(index, 1)
        if (!frame) return
        clearTimeout(timer)
        checks.delete(check)
        resolve(frame)
      }
      checks.add(check)
      check()
    })
  await once(ws, 'open')
  return {
    ws,
    frames,
    send: frame => ws.send(JSON.stringify(frame)),
    ask(event, data) {
      const id = newId()
      ws.send(JSON.stringify({ event, data, id }))
      return find(frame => frame.id === id)
    },
    next: event => find(frame => frame.event === event),
    closed: () => closing,
  }
}

/** The HTTP answer of a refused handshake. */
export async function refusalOf(ws: WebSocket): Promise<{ status: number; body: Record<string, unknown> }> {
  const [, response] = (await once(ws, 'unexpected-response')) as [unknown, IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  return { status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) }
}

/** Waits until a world's feed delivers newly published frames. */
export async function feedIsOn(world: LiveWorld, person: LivePerson): Promise<void> {
  const probe = await world.open('member', person)
  const say = (event: string) => {
    const body = envelopeOf('socket', { id: 'p', event, rooms: [`member:${person.memberId}`], data: {} })
    return world.host.bus.publish('platform.notification.socket', JSON.stringify(body), { id: newId() })
  }
  await eventually(async () => {
    await say('probe')
    return probe.frames.some(({ event }) => event === 'probe')
  })
  // Further probes may still be in flight to this person's next socket; this one follows them.
  await say('last probe')
  await probe.next('last probe')
  probe.ws.close()
  await probe.closed()
}

async function listening(): Promise<Server> {
  const server = createServer((_request, response) => response.writeHead(404).end())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return server
}
