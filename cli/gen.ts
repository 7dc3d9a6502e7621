import { join } from 'node:path'
import { generate, removeOthers, writeFiles } from './generate/files.ts'
import { root, run } from './run.ts'

const gen = join(root, 'gen')

/** Formats the protos and writes all generated files. Programs that read gen/ meanwhile find it complete. */
async function main(): Promise<void> {
  const formatted = run('buf', 'format', 'proto', '-w')
  if (!formatted.ok) return fail(formatted.output)
  const { output, files } = generate()
  if (!files) return fail(output)
  const messages = writeFiles(gen, files)
  const stale = removeOthers(gen, name => name.endsWith('_pb.ts') && !files.has(name))
  // Imported only now, because it reads what was just generated.
  const { outputs } = await import('./generate/outputs.ts')
  const texts = new Map((await outputs()).map(({ path, text }) => [path, text]))
  const otherPaths = writeFiles(root, texts)
  stale.push(...removeOthers(gen, name => !files.has(name) && !texts.has(`gen/${name}`)))
  const inGen = (name: string): string => `gen/${name}`
  for (const path of [...messages.map(inGen), ...otherPaths]) console.log(`written ${path}`)
  for (const path of stale.map(inGen)) console.log(`removed ${path}`)
  console.log(`${files.size + texts.size} files generated from proto/`)
}

function fail(output: string): void {
  console.error(output)
  process.exitCode = 1
}

await main()
