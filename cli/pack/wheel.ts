import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { listeners } from '../../edge/config.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { pythonModule, pythonServices } from '../generate/client/python.ts'
import { root } from '../run.ts'
import { readmeOf } from './pack.ts'
import { platformManifest } from './packages.ts'

const module = 'hospitality_platform'
const description = 'Typed REST client of the hospitality platform, for Python.'

/**
 * Packs the Python client into a folder, as the binary distribution format of PyPA has it. Its bytes depend on the
 * sources alone.
 * @returns the path of the wheel
 */
export function packWheel(folder: string): string {
  const { version } = platformManifest
  const info = `${module}-${version}.dist-info`
  const metadata = {
    'Metadata-Version': '2.1',
    Name: 'hospitality-platform',
    Version: version,
    Summary: description,
    License: platformManifest.license,
    'Requires-Python': '>=3.9',
    'Description-Content-Type': 'text/markdown',
  }
  const readme = readmeOf('hospitality-platform', description, { guide: 'clients.md', heading: 'REST, in Python' })
  const files: Record<string, string> = {
    ...moduleFiles(),
    [`${info}/METADATA`]: `${headers(metadata)}\n${readme}`,
    [`${info}/WHEEL`]: headers({
      'Wheel-Version': '1.0',
      Generator: module,
      'Root-Is-Purelib': 'true',
      Tag: 'py3-none-any',
    }),
  }
  const record = `${info}/RECORD`
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
  const lines = Object.entries(files).map(([path, text]) => `${path},sha256=${digest(text)},${Buffer.byteLength(text)}`)
  files[record] = `${[...lines, `${record},,`].join('\n')}\n`
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)] as const)
  const wheel = join(folder, `${module}-${version}-py3-none-any.whl`)
  writeFileSync(wheel, zipSync(Object.fromEntries(entries), { mtime: new Date(1980, 0, 1) }))
  return wheel
}

const headers = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('')

/** The package's own files, and those generated from the OpenAPI documents. */
function moduleFiles(): Record<string, string> {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const paths = globSync('gen/openapi/*.json', { cwd: root }).toSorted()
  const names = paths.map(path => basename(path, '.json') as RestService)
  const ports = Object.fromEntries(names.map(name => [name, listeners[name].port]))
  const generated = paths.map((path, index) => [`${names[index]}.py`, pythonModule(JSON.parse(read(path)))])
  const files: Record<string, string> = {
    ...Object.fromEntries(['__init__.py', 'request.py'].map(name => [name, read(`cli/pack/python/${name}`)])),
    ...Object.fromEntries(generated),
    'services.py': pythonServices(ports),
    // Tells type checkers that the package has types.
    'py.typed': '',
  }
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [`${module}/${name}`, text]))
}
