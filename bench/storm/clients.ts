import { connect } from '../../edge/live/client/client.js'
import { balancer, ClientSocket } from './client-socket.ts'

/*
 * A share of the sockets, in a separate process: the platform's client over raw sockets, so that its waits, its
 * offsets and its gaps are those of a browser.
 */

export type Member = { token: string; workspaceId: string; workspace: number; sockets: number }

/** `numbers`: the last number published to each workspace. */
export type Order =
  | { open: { members: Member[]; edges: string[]; addresses: string[] } }
  | { edges: string[] }
  | { phase: number }
  | { look: number[] }
  | { report: true }

/** Sockets that are open with their rooms joined, and those of them that lack a published frame. */
export type OpenSockets = { open: number; behind: number }

/** Since the phase began. */
export type Report = {
  /** When each lost socket was open again, in ms from the beginning. */
  returns: number[]
  /** Lost connections and refusals, by close code or status. */
  ends: Record<string, number>
  missed: number
  repeated: number
  recovered: number
  /** Sockets told that frames may be missing. */
  gaps: number
}

type Subscriber = { workspace: number; next: number | undefined; isOpen: boolean; gaps: number }

const atOnce = 100
/** A gap is told after the frames that arrived with it. */
const gapMs = 1_000

const subscribers: Subscriber[] = []
const nothing = (): Report => ({ returns: [], ends: {}, missed: 0, repeated: 0, recovered: 0, gaps: 0 })
let report = nothing()
let phaseAt = 0

const tell = (message: object): void => void process.send?.(message)
const countEnd = (reason: string): void => void (report.ends[reason] = (report.ends[reason] ?? 0) + 1)

/** Compares a frame's number with the one expected next. */
function take(subscriber: Subscriber, n: number): void {
  const { next = n, gaps } = subscriber
  if (n < next) {
    report.repeated++
    return
  }
  subscriber.next = n + 1
  if (n === next) return
  const countIn = report
  setTimeout(() => {
    if (subscriber.gaps === gaps) countIn.missed += n - next
  }, gapMs)
}

/** Resolves once the socket is open for the first time. */
function open({ token, workspaceId, workspace }: Member): Promise<void> {
  return new Promise(resolve => {
    const subscriber: Subscriber = { workspace, next: 1, isOpen: false, gaps: 0 }
    subscribers.push(subscriber)
    const live = connect({
      url: 'ws://balancer/ws',
      token: () => token,
      on(event, data, { recovered }) {
        if (event !== 'storm') return
        if (recovered) report.recovered++
        take(subscriber, (data as { n: number }).n)
      },
      gap(event) {
        if (event === 'auth') return
        report.gaps++
        subscriber.gaps++
        subscriber.next = undefined
      },
      state(state, code) {
        if (state === 'waiting' || state === 'closed') countEnd(String(code))
        if (state !== 'connecting') subscriber.isOpen = state === 'open'
        if (state !== 'open') return
        report.returns.push(Date.now() - phaseAt)
        resolve()
      },
    })
    live.join('joinWorkspace', workspaceId, error => countEnd(`join ${Object(error).statusCode}`))
  })
}

async function openAll(members: Member[]): Promise<void> {
  const waiting = members.flatMap(member => Array.from({ length: member.sockets }, () => member))
  const openNext = async (): Promise<void> => {
    for (let member = waiting.pop(); member; member = waiting.pop()) await open(member)
  }
  await Promise.all(Array.from({ length: atOnce }, openNext))
  tell({ opened: true })
}

const isBehind = ({ workspace, next }: Subscriber, numbers: number[]): boolean =>
  next !== undefined && next <= (numbers[workspace] ?? 0)

function countOpen(numbers: number[]): OpenSockets {
  const open = subscribers.filter(({ isOpen }) => isOpen)
  return { open: open.length, behind: open.filter(subscriber => isBehind(subscriber, numbers)).length }
}

globalThis.WebSocket = ClientSocket as never
process.on('disconnect', () => process.exit())
process.on('message', (order: Order) => {
  if ('open' in order) {
    const { members, ...places } = order.open
    Object.assign(balancer, places)
    void openAll(members)
  } else if ('edges' in order) balancer.edges = order.edges
  else if ('phase' in order) {
    phaseAt = order.phase
    report = nothing()
  } else if ('look' in order) tell({ look: countOpen(order.look) })
  else tell({ report })
})
