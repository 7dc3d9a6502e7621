import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { valueFrom } from '../live/sides.ts'
import type { Member, OpenSockets, Order, Report } from './clients.ts'
import { withFiles } from './files.ts'

const script = fileURLToPath(new URL('./clients.ts', import.meta.url))
/** Loopback addresses of each process: every one has 28,000 ports. */
const addresses = (index: number): string[] => [1, 2, 3, 4].map(last => `127.77.${index}.${last}`)

/** Starts processes of clients, each with every nth of the members. */
export function startSwarm(processes: number, files: number) {
  const children = Array.from({ length: processes }, () => fork(script, withFiles(files)))
  const order = (message: Order): void => void children.map(child => child.send(message))
  const ask = <T>(message: Order, key: string): Promise<T[]> =>
    Promise.all(
      children.map(child => {
        const answer = valueFrom<T>(child, key)
        child.send(message)
        return answer
      }),
    )
  return {
    children: children as ChildProcess[],
    async open(members: Member[], edges: string[]): Promise<void> {
      await Promise.all(
        children.map((child, index) => {
          const opened = valueFrom(child, 'opened')
          const share = members.filter((_, member) => member % processes === index)
          child.send({ open: { members: share, edges, addresses: addresses(index) } } satisfies Order)
          return opened
        }),
      )
    },
    /** The edges that new connections go to from now on. */
    route: (edges: string[]) => order({ edges }),
    /** Resets the counts. */
    begin: () => order({ phase: Date.now() }),
    async look(numbers: number[]): Promise<OpenSockets> {
      const looks = await ask<{ look: OpenSockets }>({ look: numbers }, 'look')
      const sum = (key: keyof OpenSockets) => looks.reduce((total, { look }) => total + look[key], 0)
      return { open: sum('open'), behind: sum('behind') }
    },
    async report(): Promise<Report> {
      const reports = (await ask<{ report: Report }>({ report: true }, 'report')).map(({ report }) => report)
      const sum = (key: 'missed' | 'repeated' | 'recovered' | 'gaps') =>
        reports.reduce((total, one) => total + one[key], 0)
      const ends: Record<string, number> = {}
      for (const [reason, count] of reports.flatMap(one => Object.entries(one.ends)))
        ends[reason] = (ends[reason] ?? 0) + count
      const returns = reports.flatMap(one => one.returns).sort((one, second) => one - second)
      return {
        returns,
        ends,
        missed: sum('missed'),
        repeated: sum('repeated'),
        recovered: sum('recovered'),
        gaps: sum('gaps'),
      }
    },
  }
}
