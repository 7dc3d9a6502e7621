import { join } from 'node:path'
import { type Result, root } from '../run.ts'
import { filesOf, generate, textOf } from './files.ts'
import { outputs } from './outputs.ts'

/** Names of files that differ between two folders, or exist in only one. */
export function differences(expected: Map<string, string>, present: Map<string, string>): string[] {
  const names = new Set([...expected.keys(), ...present.keys()])
  return [...names].filter(name => expected.get(name) !== present.get(name)).toSorted()
}

/** Checks that gen and all other generated files match what `npm run gen` would write. */
export async function drift(): Promise<Result> {
  const { files: expected, ...generated } = generate()
  if (!expected) return generated
  const written = await outputs()
  for (const { path, text } of written) if (path.startsWith('gen/')) expected.set(path.slice('gen/'.length), text)
  const stale = differences(expected, filesOf(join(root, 'gen'))).map(name => `gen/${name}`)
  for (const { path, text } of written)
    if (!path.startsWith('gen/') && textOf(join(root, path)) !== text) stale.push(path)
  const output = `${stale.join('\n')}\nout of date: run npm run gen`
  return stale.length > 0 ? { ok: false, output } : { ok: true, output: '' }
}
