import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CheckResult, run } from '../run.ts'

/** The paths that buf reads, present in every commit with a contract. */
const contract = ['proto', 'third_party', 'buf.yaml']

const revision = (...args: string[]): string | undefined => {
  const { ok, output } = run('git', 'rev-parse', '--verify', '--quiet', ...args)
  return ok && output ? output : undefined
}

/** The commit whose contract clients may use: where the branch left main, or on main the commit before. */
export function earlierCommit(): string | undefined {
  const head = revision('HEAD')
  for (const main of ['origin/main', 'main']) {
    const mergeBase = run('git', 'merge-base', 'HEAD', main)
    if (mergeBase.ok && mergeBase.output !== head) return mergeBase.output
  }
  return revision('HEAD^')
}

/** Compares the contract with that of an earlier commit: wire format and JSON names must stay compatible. */
export function breaking(): CheckResult {
  const commit = earlierCommit()
  if (!commit || !run('git', 'cat-file', '-e', `${commit}:buf.yaml`).ok)
    return { ok: true, output: 'no earlier contract' }
  const folder = mkdtempSync(join(tmpdir(), 'contract-'))
  try {
    const archive = join(folder, 'contract.tar')
    const earlier = join(folder, 'earlier')
    mkdirSync(earlier)
    for (const step of [
      ['git', 'archive', '--output', archive, commit, ...contract],
      ['tar', '-xf', archive, '-C', earlier],
    ] as const) {
      const [command, ...args] = step
      const result = run(command, ...args)
      if (!result.ok) return result
    }
    return run('buf', 'breaking', '--against', earlier)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
