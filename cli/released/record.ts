import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { root } from '../run.ts'
import { tracked } from '../sources.ts'

/*
 * What the last release promised, in the folder `released`: present versions are compared with it. `npm run freeze`
 * writes it for a new release.
 */
const pathOf = (name: string): string => join(root, 'released', name)

/** The protos as an image of buf, which reads it itself. */
export const contractFile = pathOf('contract.binpb.gz')
/** OpenAPI and AsyncAPI documents by their path, as JSON. */
export const documentsFile = pathOf('documents.json.gz')
/** SHA-256 of each migration. */
export const migrationsFile = pathOf('migrations.json')
/** Shapes of answers, events and frames that were seen. */
export const shapesFile = pathOf('shapes.json')

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))

export const readDocuments = (): Record<string, unknown> =>
  JSON.parse(gunzipSync(readFileSync(documentsFile)).toString()) as Record<string, unknown>

/** Paths of the documents that clients read. */
export const documentPaths = (): string[] => tracked('gen/openapi/*.json', 'gen/asyncapi.json')

/** Digests of the present migrations by their paths. */
export const migrationDigests = (): Record<string, string> =>
  Object.fromEntries(
    tracked('services/*/migrations/*.ts', 'services/kernel/database/migrations/*.ts').map(path => [
      path,
      createHash('sha256')
        .update(readFileSync(join(root, path)))
        .digest('hex'),
    ]),
  )

/** Migrations of the release that are changed or gone: databases that have run them would differ from new ones. */
export function changedMigrations(
  released = readJson(migrationsFile) as Record<string, string>,
  present = migrationDigests(),
): string[] {
  return Object.entries(released)
    .filter(([path, digest]) => present[path] !== digest)
    .map(([path]) => `${path} was released and has to stay as it is: add a migration`)
}
