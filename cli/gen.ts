import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root, run } from './checks/run.ts'

/** Formats the protos and writes everything that follows from them. */
for (const [command, ...args] of [
  ['buf', 'format', 'proto', '-w'],
  ['buf', 'generate'],
] as const) {
  const { ok, output } = run(command, ...args)
  if (ok) continue
  console.error(output)
  process.exit(1)
}
// Loaded only now: it reads what was just generated.
const { outputs } = await import('./generate/outputs.ts')
const written = await outputs()
for (const { path, text } of written) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}
console.log(`gen, ${written.map(({ path }) => path).join(', ')}`)
