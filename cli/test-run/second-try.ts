import type { FileOutcome } from './run-files.ts'

/** More failures than this are a fault of the code, which a second try only delays. */
const mostFiles = 5

/**
 * Runs failed files once more, one at a time [D382].
 * @returns the last outcome of every file, and the first one of each that passed only then
 */
export async function secondTry(
  outcomes: FileOutcome[],
  run: (files: string[]) => Promise<FileOutcome[]>,
): Promise<{ outcomes: FileOutcome[]; flaky: FileOutcome[] }> {
  const failing = outcomes.filter(({ failed }) => failed > 0)
  if (failing.length > mostFiles) return { outcomes, flaky: [] }
  const secondOutcomes = new Map<string, FileOutcome>()
  for (const { file } of failing) for (const outcome of await run([file])) secondOutcomes.set(file, outcome)
  return {
    outcomes: outcomes.map(first => secondOutcomes.get(first.file) ?? first),
    flaky: failing.filter(({ file }) => secondOutcomes.get(file)?.failed === 0),
  }
}
