import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Tells the script that it runs in a separate network. */
const mark = 'TRIAL_NETWORK'

export const isInOwnNetwork = (): boolean => process.env[mark] === 'own'

/**
 * Runs a script in separate namespaces (network, mounts, processes): whatever it starts ends with it, and its
 * temporary files are deleted.
 * @param read receives its output, which is printed otherwise
 * @returns its exit code
 */
export async function inOwnNetwork(
  script: string,
  args: string[],
  env: NodeJS.ProcessEnv,
  read?: (text: string) => void,
): Promise<number> {
  if (process.getuid?.() !== 0) throw new Error('only root may create network namespaces')
  const folder = mkdtempSync(join(tmpdir(), 'scaled-'))
  // As the machine's own: database servers run as another user.
  chmodSync(folder, 0o1777)
  // Namespaces get their names under /run, which must not be the machine's.
  const begin = ['sh', '-c', 'mount -t tmpfs none /run && exec "$@"', 'sh', process.execPath, script, ...args]
  const namespaces = ['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--mount-proc']
  const child = spawn('setpriv', ['--pdeathsig=KILL', ...namespaces, ...begin], {
    env: { ...process.env, ...env, TMPDIR: folder, [mark]: 'own' },
    stdio: ['ignore', read ? 'pipe' : 'inherit', read ? 'pipe' : 'inherit'],
  })
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', read ?? (() => undefined))
  const end = () => void child.kill('SIGKILL')
  process.once('exit', end).once('SIGINT', end).once('SIGTERM', end)
  try {
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    process.off('exit', end).off('SIGINT', end).off('SIGTERM', end)
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
