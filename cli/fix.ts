import { run } from './run.ts'

/** npm run fix: formats sources and protos, and sorts imports. What it can't fix, `npm run check` names. */
const results = [run('biome', 'check', '--write', '--max-diagnostics=20', '.'), run('buf', 'format', 'proto', '-w')]
for (const { output } of results) if (output) console.log(output)
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1
