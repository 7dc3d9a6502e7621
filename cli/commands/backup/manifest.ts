import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { messageOf } from '../../stack/messages.ts'
import { rotatableSecrets } from '../../stack/secrets.ts'
import { CommandError } from '../command.ts'
import { sha256Of } from './files.ts'

const fileFields = { file: z.string().regex(/^(?!.*\.\.)[\w./-]+$/), sha256: z.string().length(64), bytes: z.number() }
const counts = z.record(z.string(), z.number())

const shape = z.object({
  /** Version of this file and of the backup's format. */
  format: z.literal(1),
  /** Version of the platform that wrote the backup. */
  version: z.string(),
  takenAt: z.iso.datetime(),
  /** one: every database at one moment; several: each at its own, at most `spanMs` apart. */
  snapshot: z.object({ moments: z.enum(['one', 'several']), spanMs: z.number() }),
  databases: z.array(z.object({ ...fileFields, service: z.string(), server: z.string(), rows: counts })),
  streams: z.array(z.object({ ...fileFields, stream: z.enum(['events', 'dead']), messages: z.number() })),
  media: z.object({
    storage: z.enum(['disk', 's3']),
    /** The bucket, whose files are not part of the backup. */
    bucket: z.string().optional(),
    files: z.array(z.object(fileFields)),
  }),
  /** The secrets that stored data needs, as fingerprints. */
  secrets: z.array(z.object({ name: z.enum(rotatableSecrets), fingerprint: z.string() })),
  /** Whether the backup holds the secrets themselves, in clear text. */
  hasSecrets: z.boolean(),
})

export type Manifest = z.infer<typeof shape>

export const manifestFile = 'manifest.json'
export const secretsFile = 'secrets.json'

/**
 * Reads the manifest of a backup and checks every file against it. Throws a {@link CommandError} that names the fault.
 */
export async function verifiedManifest(folder: string): Promise<Manifest> {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch((error: unknown) => {
    throw new CommandError(`${folder} is not a backup, or is incomplete: ${messageOf(error)}`)
  })
  const parse = shape.safeParse(jsonOf(text))
  if (!parse.success) throw new CommandError(`${join(folder, manifestFile)} is invalid: ${parse.error.message}`)
  const { databases, streams, media } = parse.data
  const damages: string[] = []
  for (const { file, sha256 } of [...databases, ...streams, ...media.files]) {
    const digest = await sha256Of(join(folder, file)).catch(() => 'missing')
    if (digest !== sha256) damages.push(`${file} ${digest === 'missing' ? 'is missing' : 'has changed'}`)
  }
  if (damages.length > 0) throw new CommandError(`The backup is damaged:\n  ${damages.slice(0, 20).join('\n  ')}`)
  return parse.data
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
