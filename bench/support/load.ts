import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { line, median } from './figures.ts'

/** One side of a comparison: a URL to ask, with its headers. */
export type Side = {
  name: string
  url: string
  headers: Record<string, string>
  /** If set, each request asks for another page, from 1 to this one. */
  pages?: number
}
type Result = { perSecond: number; p50: number; p99: number; bad: number }

const script = fileURLToPath(new URL('./report.lua', import.meta.url))

/** Loads one side with wrk: one thread, 64 connections, closed loop. */
function load({ url, headers, pages = 0 }: Side, seconds: number): Promise<Result> {
  const flags = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`])
  const args = ['-t1', '-c64', `-d${seconds}s`, '--timeout', '10s', '-s', script, ...flags, url]
  return new Promise((resolve, reject) => {
    let out = ''
    const env = { ...process.env, BENCH_PAGES: String(pages) }
    const child = spawn('wrk', args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.once('error', () => reject(new Error('the benchmarks need wrk: apt-get install wrk')))
    child.stdout.on('data', (data: Buffer) => {
      out += data.toString()
    })
    child.once('exit', () => {
      const report = /^R (\{.*\})$/m.exec(out)?.[1]
      if (!report) return reject(new Error(`wrk failed: ${out}`))
      const { n, us, p50, p99, bad } = JSON.parse(report) as Record<string, number>
      resolve({ perSecond: ((n ?? 0) / (us ?? 1)) * 1e6, p50: p50 ?? 0, p99: p99 ?? 0, bad: bad ?? 0 })
    })
  })
}

export type Row = {
  name: string
  perSecond: number
  minPerSecond: number
  maxPerSecond: number
  p50: number
  p99: number
  bad: number
}

/** Loads the sides in turn, round after round, so that a slow moment of the machine affects all of them. */
export async function interleaved(sides: Side[], rounds: number, seconds: number): Promise<Row[]> {
  for (const side of sides) await load(side, Math.min(2, seconds))
  const results = new Map<Side, Result[]>(sides.map(side => [side, []]))
  for (let round = 0; round < rounds; round++)
    for (const side of sides) results.get(side)?.push(await load(side, seconds))
  return [...results].map(([{ name }, all]) => ({
    name,
    perSecond: median(all.map(one => one.perSecond)),
    minPerSecond: Math.min(...all.map(one => one.perSecond)),
    maxPerSecond: Math.max(...all.map(one => one.perSecond)),
    p50: median(all.map(one => one.p50)),
    p99: median(all.map(one => one.p99)),
    bad: all.reduce((sum, one) => sum + one.bad, 0),
  }))
}

/** The rows as a Markdown table, with the ratio of the first to each. */
export function table(rows: Row[]): string {
  const [firstRow] = rows
  const lines = rows.map(row => {
    const ratio = firstRow ? (firstRow.perSecond / row.perSecond).toFixed(2) : ''
    const range = `${row.minPerSecond.toFixed(0)}–${row.maxPerSecond.toFixed(0)}`
    return line(row.name, row.perSecond.toFixed(0), range, ratio, row.p50.toFixed(1), row.p99.toFixed(1), row.bad)
  })
  return ['| side | req/s | range | first ÷ this | p50 ms | p99 ms | failed |', '|-|-|-|-|-|-|-|', ...lines].join('\n')
}
