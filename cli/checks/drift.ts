import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { outputs } from '../generate/outputs.ts'
import { type Result, root, run } from './run.ts'

/** Files below a folder, by their path in it. */
const filesOf = (folder: string): Map<string, string> =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(entry => join(entry.parentPath, entry.name))
      .map(path => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  )

/** Names of the files of two folders that only one has, or that differ. */
export function differences(expected: Map<string, string>, present: Map<string, string>): string[] {
  const names = new Set([...expected.keys(), ...present.keys()])
  return [...names].filter(name => expected.get(name) !== present.get(name)).toSorted()
}

/** Whether gen and what else is written from the protos is what `npm run gen` would write now. */
export async function drift(): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'gen-'))
  try {
    const generated = run('buf', 'generate', '-o', folder)
    if (!generated.ok) return generated
    const written = await outputs()
    const expected = filesOf(join(folder, 'gen'))
    for (const { path, text } of written) if (path.startsWith('gen/')) expected.set(path.slice('gen/'.length), text)
    const stale = differences(expected, filesOf(join(root, 'gen'))).map(name => `gen/${name}`)
    for (const { path, text } of written.filter(one => !one.path.startsWith('gen/'))) {
      const file = join(root, path)
      if (!existsSync(file) || readFileSync(file, 'utf8') !== text) stale.push(path)
    }
    const output = `${stale.join('\n')}\nnot what the protos say: npm run gen writes ${stale.length > 1 ? 'them' : 'it'} anew`
    return stale.length > 0 ? { ok: false, output } : { ok: true, output: '' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
