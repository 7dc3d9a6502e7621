import { setTimeout as sleep } from 'node:timers/promises'
import { underTraffic } from '../rolling/under-traffic.ts'
import type { Failure } from '../traffic.ts'
import { type Action, actions, expected, type Part } from './part.ts'
import { type Shape, startScaled } from './platform.ts'

export type Plan = Shape & {
  rounds: number
  /** Requests a second. */
  rate: number
  /** What is done to which parts; everything to all by default. */
  includes?: (part: Part, action: Action) => boolean
  say: (line: string) => void
}

const words: Record<Action, string> = { kill: 'killed', replace: 'replaced', cut: 'cut off' }

/** What clients noticed of one action. */
export type Row = {
  part: Part
  action: Action
  failures: Failure[]
  gap: { call: string; ms: number }
  /** After how many ms requests no longer failed, from the beginning of the action. */
  recoveredMs: number
  tookMs: number
}

/** How long no request may have failed before the next action, and how long that is waited for at most, in ms. */
const quietMs = 4_000
const longestMs = 60_000

/** The platform's scaled shape under traffic, while each part in turn is killed, replaced and cut off. */
export async function runScaled({ rounds, rate, includes = () => true, say, ...shape }: Plan) {
  const unclean: string[] = []
  const { world, parts } = await startScaled(shape, unclean, say)
  const rows: Row[] = []
  const found = await underTraffic(world, rate, say, async ({ replaced, restarted, traffic }) => {
    const lost = () => [...traffic.failures, ...traffic.gaveUp]
    const disturb = async (part: Part, action: Action): Promise<Row> => {
      const label = `${part.name} ${words[action]} (${rows.length + 1})`
      replaced.add(label)
      traffic.gap()
      const began = Date.now()
      await part[action]()
      const tookMs = Date.now() - began
      const lastFailure = () => Math.max(0, ...lost().map(({ at }) => at))
      const until = Date.now() + longestMs
      do await sleep(200)
      while (Date.now() < until && Date.now() - Math.max(lastFailure(), began + tookMs) < quietMs)
      replaced.delete(label)
      restarted(part.name)
      const failures = lost().filter(({ during }) => during.includes(label))
      const recoveredMs = Math.max(began, ...failures.map(({ at }) => at)) - began
      return { part, action, failures, gap: traffic.gap(), recoveredMs, tookMs }
    }
    await sleep(quietMs)
    for (let round = 1; round <= rounds; round++)
      for (const part of parts)
        for (const action of actions.filter(each => includes(part, each))) {
          const row = await disturb(part, action)
          rows.push(row)
          say(`${line(row)} after ${traffic.requests()} requests`)
        }
  })
  const wrong = [
    ...rows.flatMap(({ part, action, failures }) =>
      failures.filter(({ status }) => !expected[part.kind][action].includes(status)),
    ),
    ...found.failures.filter(({ during }) => during.length === 0),
  ]
  const { lost, doubled, untold, toldTwice, unheard } = found
  return { ...found, rows, faults: { wrong, unclean, lost, doubled, untold, toldTwice, unheard } }
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`

/** The errors by status, such as 3 × 503. */
function errorsOf(failures: Failure[]): string {
  const byStatus = Object.entries(Object.groupBy(failures, ({ status }) => status))
  return byStatus.map(([status, of = []]) => `${of.length} × ${status === '0' ? 'none' : status}`).join(', ') || '–'
}

export const heading = `| part | action | errors | longest gap in answers | recovered after |
|-|-|-|-|-|`

export const line = ({ part, action, failures, gap, recoveredMs }: Row): string =>
  `| ${part.name} | ${words[action]} | ${errorsOf(failures)} | ${seconds(gap.ms)} (${gap.call}) | ${seconds(recoveredMs)} |`
