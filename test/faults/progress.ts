import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RoundVerdict } from './trial.ts'
import { faultsIn } from './verdict.ts'

type Total = { acknowledged: number; unknown: number; refused: number; gaps: number; faults: number }

/** Progress of a long run, kept in a file so that an interrupted run can resume. */
type Progress = {
  /** Kills by victim. */
  done: Record<string, number>
  total: Total
  /** Adds the result of a round and saves it. */
  add(verdict: RoundVerdict): void
  /** Deletes the file of a completed run. */
  close(): void
}

type Kept = { asked: string; done: Record<string, number>; total: Total }

/** Resumes the run with the same arguments, or starts one. */
export function openProgress(asked: string, restart: boolean): Progress {
  const file = path.join(tmpdir(), `platform-faults-${process.getuid?.() ?? 0}.json`)
  const before = restart ? undefined : keptIn(file)
  const none: Total = { acknowledged: 0, unknown: 0, refused: 0, gaps: 0, faults: 0 }
  const kept: Kept =
    before?.asked === asked ? { ...before, total: { ...none, ...before.total } } : { asked, done: {}, total: none }
  return {
    done: kept.done,
    total: kept.total,
    add(verdict) {
      kept.total.acknowledged += verdict.acknowledged
      kept.total.unknown += verdict.unknown
      kept.total.refused += verdict.refused
      kept.total.gaps += verdict.gaps
      kept.total.faults += Object.values(faultsIn(verdict)).flat().length
      writeFileSync(file, JSON.stringify(kept))
    },
    close: () => rmSync(file, { force: true }),
  }
}

function keptIn(file: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Kept
  } catch {
    return undefined
  }
}
