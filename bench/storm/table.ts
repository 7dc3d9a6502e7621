import { line, quantile } from '../support/figures.ts'
import type { Report } from './clients.ts'
import type { Measures } from './edges.ts'

/** Processor time in ms. */
export type Costs = { edges: number; services: number; clients: number }

/** A time in which edges were killed: sockets that were lost, what clients and edges report, and what it took. */
export type Storm = {
  title: string
  lostSockets: number
  report: Report
  edges: Measures[]
  costs: Costs
  /** Whether every socket is open and has every frame at the end. */
  isWhole: boolean
}

/** deploy/kubernetes/edge.yaml */
const mostMemory = 768
const longestMs = 60_000

const verdict = (isMet: boolean): string => (isMet ? 'met' : 'MISSED')
export const seconds = (ms: number): string => (ms / 1_000).toFixed(1)
export const maxOf = (measures: Measures[], key: keyof Measures): number => Math.max(...measures.map(one => one[key]))

const endsOf = ({ ends }: Report): string =>
  Object.entries(ends)
    .map(([why, count]) => `${count} × ${why}`)
    .join(', ')

/** Processor time of each kind of process for one socket. */
export const costsOf = ({ edges, services, clients }: Costs, sockets: number): string =>
  [edges, services, clients].map(ms => (sockets === 0 ? '–' : (ms / sockets).toFixed(2))).join(' / ')

export const heads = [
  line(
    'storm',
    'sockets lost',
    'back after s: p50 / p99 / last',
    'lost or refused, by code',
    'frames recovered',
    'told of a gap',
    'longest delay of an edge, ms',
    'processor ms per socket: edges / services / clients',
  ),
  line('-', '-', '-', '-', '-', '-', '-', '-'),
]

export const rowOf = ({ title, lostSockets, report, edges, costs }: Storm): string =>
  line(
    title,
    lostSockets,
    [0.5, 0.99, 1].map(share => seconds(quantile(report.returns, share))).join(' / '),
    endsOf(report),
    report.recovered,
    report.gaps,
    maxOf(edges, 'delay').toFixed(0),
    costsOf(costs, lostSockets),
  )

export function goalsOf({ title, lostSockets, report, edges, isWhole }: Storm): string[] {
  const last = quantile(report.returns, 1)
  const isBack = isWhole && report.returns.length >= lostSockets && last <= longestMs
  const { missed, repeated } = report
  const peak = maxOf(edges, 'peak')
  return [
    line(`${title}: last socket back`, `${seconds(last)} s`, `≤ ${longestMs / 1_000} s`, verdict(isBack)),
    line(
      `${title}: frames missed / repeated`,
      `${missed} / ${repeated}`,
      '0 / 0',
      verdict(isWhole && missed + repeated === 0),
    ),
    line(
      `${title}: peak memory of an edge`,
      `${peak.toFixed(0)} MiB`,
      `≤ ${mostMemory} MiB`,
      verdict(peak <= mostMemory),
    ),
  ]
}
