import { type Client, createClient, type Transport } from '@connectrpc/connect'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import type { AccessClaims } from '../../../services/kernel/access/tokens.ts'
import { remoteTransport } from '../../../services/kernel/rpc/remote.ts'
import { assert, eventually, nobody, withHeaders } from '../kit.ts'
import { freePorts } from '../platform/ports.ts'
import { readyOrDead, startProcess } from '../process.ts'
import type { HotelTest } from './hotel.ts'

export type Hotels = Client<typeof HotelService>

/** Ports for the services called by a hotel service in a separate process or host, and their settings. */
export async function portsApart() {
  const names = ['AUTH', 'MEMBER', 'MEDIA', 'PAYMENT']
  const ports = await freePorts(names.length)
  const entries = names.map((name, index): [name: string, port: number] => [name, ports[index] ?? 0])
  return { entries, settings: Object.fromEntries(entries.map(([name, port]) => [`${name}_RPC_PORT`, `${port}`])) }
}

/** The transport with a caller's token. */
export const withToken = (transport: Transport, token: string): Transport =>
  withHeaders(transport, { authorization: `Bearer ${token}` })

/** A platform administrator's claims, without the user. */
export const rootClaims: Omit<AccessClaims, 'iat' | 'exp' | 'userId'> = { ...nobody, email: 'root@platform.example' }

const leaseSeconds = 120

/** A call that must reach a failpoint, and the name of its hotel. */
export type Doomed = { failpoint: string; name: string; call: (hotels: Hotels) => Promise<unknown> }

/**
 * Sends calls to a hotel service in a separate process, one after another, each of which stays at its failpoint; the
 * last one there kills the process. Returns the signal it died of; other processes may then take over its runs.
 */
export const killing =
  ({ host, rootId, rows }: HotelTest, entries: [name: string, port: number][]) =>
  async (doomed: Doomed[]): Promise<string> => {
    const [port = 0] = await freePorts(1)
    const urls = Object.fromEntries(
      entries.map(([name, rpcPort]) => [`${name}_RPC_URL`, `http://127.0.0.1:${rpcPort}`]),
    )
    const env = {
      ...process.env,
      ...host.env,
      ...urls,
      SERVICES: 'hotel',
      HOTEL_RPC_PORT: `${port}`,
      FAILPOINT: doomed.map(({ failpoint }) => failpoint).join(','),
      // Long enough that on a busy machine the lease doesn't end before the process reaches its failpoint.
      HOTEL_SETUP_LEASE_SECONDS: `${leaseSeconds}`,
      HOTEL_END_LOOK_MS: '60000',
    }
    const hotelProcess = startProcess('services/main.ts', env, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
    const { child, exitStatus, stop } = hotelProcess
    const reachedFailpoints = new Set<string>()
    child.on('message', ({ place }: { place?: string }) => place && reachedFailpoints.add(place))
    const isGone = () => child.exitCode !== null || child.signalCode !== null
    await readyOrDead(hotelProcess)
    const remote = remoteTransport(`http://127.0.0.1:${port}`)
    const transport = withToken(remote, host.tokens.issue({ ...rootClaims, userId: rootId }, 900))
    const hotels = createClient(HotelService, transport)
    const answers: Promise<string>[] = []
    try {
      for (const { failpoint, call } of doomed) {
        answers.push(
          call(hotels).then(
            () => failpoint,
            () => '',
          ),
        )
        // A run that a timeout interrupts on a busy machine is repeated when its lease has ended.
        await eventually(() => reachedFailpoints.has(failpoint) || isGone(), (leaseSeconds + 60) * 1_000)
      }
    } finally {
      await stop('SIGKILL')
    }
    assert.equal((await Promise.all(answers)).filter(Boolean), [], 'calls that went past their failpoint')
    assert.equal(reachedFailpoints.size, doomed.length - 1, 'the last one killed it')
    remote.close()
    const expire = 'update hotel_setups set lease_until = now(3) where hotel_name in (?) and lease_owner is not null'
    await rows('hotel', expire, [doomed.map(({ name }) => name)])
    return exitStatus
  }
