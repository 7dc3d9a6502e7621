/** Kills the process here, without a chance to clean up, when FAILPOINT names this place: for tests of sudden death. */
export function failpoint(name: string): void {
  if (process.env['FAILPOINT'] === name) process.kill(process.pid, 'SIGKILL')
}
