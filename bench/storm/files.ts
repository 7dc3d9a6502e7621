import { execFileSync } from 'node:child_process'

const shell = (command: string): string =>
  execFileSync('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'ignore'] }).toString()

/** How many files a process may open: as many as wanted, or else the limit that can't be raised here. */
export function filesFor(fileCount: number): number {
  try {
    shell(`ulimit -n ${fileCount}`)
    return fileCount
  } catch {
    return Number(shell('ulimit -Hn'))
  }
}

/** Options of a fork whose process may open this number of files; Node itself raises the soft limit only. */
export const withFiles = (files: number) => ({
  execPath: '/bin/sh',
  execArgv: ['-c', `ulimit -n ${files} && exec "$0" "$@"`, process.execPath],
})
