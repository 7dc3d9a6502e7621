import { setTimeout as sleep } from 'node:timers/promises'
import { type CrowdPerson, gather } from '../day/crowd.ts'
import { kinds, type RequestToSend, sendAsked } from '../day/mix.ts'
import { line, median, quantile } from '../support/figures.ts'
import { childrenNamed, processorSeconds } from '../support/processes.ts'
import { bySize } from '../support/size.ts'
import { startPlatform, withServers } from '../support/world.ts'
import { type MixSide, ourSide, plainSide } from './sides.ts'

const [people, pages] = bySize([20, 2_000], [20, 2_000], [5, 40])
const [rounds, seconds, publishedPages] = bySize([5, 20, 1_000], [3, 10, 400], [1, 1, 10])
const connections = 24
/** Kinds of requests, out of a hundred. */
const shares = { list: 50, page: 20, inbox: 15, reaction: 7.5, comment: 7.5 }

/** One round of one side; CPU in ms for a request or a page. */
type Round = { perSecond: number; p99: number; failed: number; program: number; database: number; broker: number }

const anyPage = ({ hotel, token }: CrowdPerson): RequestToSend => {
  const page = 1 + Math.floor(Math.random() * (pages / 20))
  const path = `/api/v1/pages?workspaceId=${hotel.workspaceId}&page=${page}&limit=20`
  return { service: 'news', method: 'GET', path, token }
}

function anyOf({ crowd }: MixSide): RequestToSend {
  let remainder = Math.random() * 100
  const [name] = Object.entries(shares).find(([, share]) => (remainder -= share) < 0) ?? ['list']
  const person = crowd[Math.floor(Math.random() * crowd.length)] as CrowdPerson
  if (name === 'list') return anyPage(person)
  const kind = kinds.find(candidate => candidate.name === name)
  if (!kind) throw new Error(`no kind of request "${name}"`)
  return kind.ask(person)
}

const content = { blocks: [{ type: 'paragraph', data: { text: 'The spa opens again at nine. '.repeat(40) } }] }

function newPage({ publisher, crowd }: MixSide): RequestToSend {
  const body = { workspaceId: crowd[0]?.hotel.workspaceId, title: 'Spa', content, status: 'published' }
  const type = 'application/json'
  return { service: 'news', method: 'POST', path: '/api/v1/pages', token: publisher, type, body: JSON.stringify(body) }
}

/** When the last receiver was stored, by `performance.now()`. */
async function untilStored(side: MixSide): Promise<number> {
  let [storedCount, changedAt] = [await side.receivers(), performance.now()]
  while (performance.now() - changedAt < 1_000) {
    await sleep(50)
    const now = await side.receivers()
    if (now !== storedCount) [storedCount, changedAt] = [now, performance.now()]
  }
  return changedAt
}

/** Asks over all connections while `goesOn`, then waits for what the requests have set off. */
async function measure(
  side: MixSide,
  next: () => RequestToSend,
  goesOn: (sentCount: number) => boolean,
): Promise<Round> {
  const used = () => [side.pids, childrenNamed('mariadbd'), childrenNamed('nats-server')].map(processorSeconds)
  const before = used()
  const began = performance.now()
  const times: number[] = []
  let [sentRequests, failures] = [0, 0]
  const lane = async () => {
    while (goesOn(sentRequests++)) {
      const from = performance.now()
      const { status } = await sendAsked(side.urls, next())
      if (status < 200 || status >= 300) failures++
      times.push(performance.now() - from)
    }
  }
  await Promise.all(Array.from({ length: connections }, lane))
  const answeredAt = performance.now()
  const endedAt = Math.max(answeredAt, await untilStored(side))
  const [programSeconds = 0, database = 0, broker = 0] = used().map(
    (now, i) => ((now - (before[i] ?? 0)) / times.length) * 1_000,
  )
  const perSecond = times.length / ((endedAt - began) / 1_000)
  return { perSecond, p99: quantile(times, 0.99), failed: failures, program: programSeconds, database, broker }
}

const mixed = (side: MixSide, ms: number): Promise<Round> => {
  const until = performance.now() + ms
  return measure(
    side,
    () => anyOf(side),
    () => performance.now() < until,
  )
}

const publishing = (side: MixSide, count: number): Promise<Round> =>
  measure(
    side,
    () => newPage(side),
    sentCount => sentCount < count,
  )

function table(results: Map<MixSide, Round[]>): string[] {
  const medianOf = (rounds: Round[], field: keyof Round) => median(rounds.map(one => one[field]))
  const [platformRounds = []] = results.values()
  return [
    '| side | per second | first ÷ this | p99 ms | CPU ms: program / database / broker | failed |',
    '|-|-|-|-|-|-|',
    ...[...results].map(([{ name }, all]) => {
      const ratios = all.map((one, i) => (platformRounds[i]?.perSecond ?? Number.NaN) / one.perSecond)
      const cpu = (['program', 'database', 'broker'] as const).map(field => medianOf(all, field).toFixed(2)).join(' / ')
      const failures = all.reduce((sum, one) => sum + one.failed, 0)
      const cells = [
        name,
        medianOf(all, 'perSecond').toFixed(0),
        median(ratios).toFixed(2),
        medianOf(all, 'p99').toFixed(0),
      ]
      return line(...cells, cpu, failures)
    }),
  ]
}

/**
 * Half lists of any page, a fifth pages, then inbox, reactions and comments, and pages published to all members,
 * against a plain program that keeps counters and inserts its receivers, without bus or sockets. A round ends when the
 * last receiver is stored.
 */
export const benchMix = (): Promise<string> =>
  withServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const sides: MixSide[] = []
    try {
      const crowd = await gather(platform, 1, people, pages)
      sides.push(await ourSide(platform, crowd), await plainSide(platform, crowd))
      const [mixes, publications] = [new Map<MixSide, Round[]>(), new Map<MixSide, Round[]>()]
      // In the first round the compilers run.
      for (let round = 0; round <= rounds; round++)
        for (const side of sides) {
          const [mix, publication] = [await mixed(side, seconds * 1_000), await publishing(side, publishedPages)]
          if (round === 0) continue
          mixes.set(side, [...(mixes.get(side) ?? []), mix])
          publications.set(side, [...(publications.get(side) ?? []), publication])
        }
      return [
        `${connections} connections, ${people} members, ${pages.toLocaleString('en')} pages. The mix (${Object.entries(
          shares,
        )
          .map(([name, share]) => `${name} ${share} %`)
          .join(', ')}):`,
        '',
        ...table(mixes),
        '',
        `Pages published to all members:`,
        '',
        ...table(publications),
      ].join('\n')
    } finally {
      for (const side of sides) await side.stop()
      await platform.stop()
    }
  })
