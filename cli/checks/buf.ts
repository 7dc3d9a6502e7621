import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Result, run } from '../run.ts'

/** What buf reads, in every commit that has a contract. */
const contract = ['proto', 'third_party', 'buf.yaml']

const revision = (...args: string[]): string | undefined => {
  const { ok, output } = run('git', 'rev-parse', '--verify', '--quiet', ...args)
  return ok && output ? output : undefined
}

/** The commit that clients may know: where the branch left main; on main itself, the commit before. */
function base(): string | undefined {
  const head = revision('HEAD')
  for (const main of ['origin/main', 'main']) {
    const found = run('git', 'merge-base', 'HEAD', main)
    if (found.ok && found.output !== head) return found.output
  }
  return revision('HEAD^')
}

/** Holds the contract to what clients of an earlier commit rely on: wire format and JSON names. */
export function breaking(): Result {
  const commit = base()
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
