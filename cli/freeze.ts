import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { contractFile, documentPaths, documentsFile, migrationDigests, migrationsFile } from './released/record.ts'
import { root, run } from './run.ts'

// npm run freeze: records what this version promises, when it is released. From then on `npm run check` and the tests
// compare with it. The shapes of answers, events and frames come from a run of the examples.
mkdirSync(dirname(contractFile), { recursive: true })
const build = run('buf', 'build', '--exclude-source-info', '-o', contractFile)
if (!build.ok) throw new Error(build.output)
const documents = Object.fromEntries(
  documentPaths().map(path => [path, JSON.parse(readFileSync(join(root, path), 'utf8')) as unknown]),
)
writeFileSync(documentsFile, gzipSync(JSON.stringify(documents), { level: 9 }))
writeFileSync(migrationsFile, `${JSON.stringify(migrationDigests(), null, 2)}\n`)
process.env['RECORD_SHAPES'] = 'true'
process.argv.splice(2, Number.POSITIVE_INFINITY, 'test/contract/openapi-examples')
await import('./test.ts')
