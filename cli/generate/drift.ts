import { join } from 'node:path'
import { type CheckResult, root } from '../run.ts'
import { filesOf, generate, textOf } from './files.ts'
import { outputs } from './outputs.ts'

/** Names of files that differ between two folders, or exist in only one. */
export function differences(generatedFiles: Map<string, string>, currentFiles: Map<string, string>): string[] {
  const names = new Set([...generatedFiles.keys(), ...currentFiles.keys()])
  return [...names].filter(name => generatedFiles.get(name) !== currentFiles.get(name)).toSorted()
}

/** Checks that gen and all other generated files match what `npm run gen` would write. */
export async function drift(): Promise<CheckResult> {
  const { files: generatedFiles, ...generated } = generate()
  if (!generatedFiles) return generated
  const otherFiles = await outputs()
  for (const { path, text } of otherFiles)
    if (path.startsWith('gen/')) generatedFiles.set(path.slice('gen/'.length), text)
  const stale = differences(generatedFiles, filesOf(join(root, 'gen'))).map(name => `gen/${name}`)
  for (const { path, text } of otherFiles)
    if (!path.startsWith('gen/') && textOf(join(root, path)) !== text) stale.push(path)
  const output = `${stale.join('\n')}\nout of date: run npm run gen`
  return stale.length > 0 ? { ok: false, output } : { ok: true, output: '' }
}
