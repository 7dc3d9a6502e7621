import { createHash, scryptSync } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, readdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { Transform, type TransformCallback } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'

/** A file of a backup, with the digest of its bytes. */
export type BackupFile = { file: string; sha256: string; bytes: number }

/** Passes bytes on, and provides their digest and number at the end. */
function digestStream() {
  const hash = createHash('sha256')
  let bytes = 0
  const through = new Transform({
    transform(chunk: Buffer, _: BufferEncoding, callback: TransformCallback) {
      hash.update(chunk)
      bytes += chunk.length
      callback(null, chunk)
    },
  })
  return { through, result: () => ({ sha256: hash.digest('hex'), bytes }) }
}

/** Writes lines into a compressed file as they arrive. */
export async function writeLines(
  folder: string,
  file: string,
  produce: (write: (line: string) => Promise<void>) => Promise<void>,
): Promise<BackupFile> {
  const gzip = createGzip()
  const digest = digestStream()
  const writing = pipeline(gzip, digest.through, createWriteStream(join(folder, file), { mode: 0o600 }))
  try {
    await produce(async line => {
      if (!gzip.write(`${line}\n`)) await Promise.race([once(gzip, 'drain'), writing])
    })
  } catch (error) {
    gzip.destroy()
    await writing.catch(() => undefined)
    throw error
  }
  gzip.end()
  await writing
  return { file, ...digest.result() }
}

/** The lines of a compressed file, which is opened on first use. */
export async function* readLines(path: string): AsyncGenerator<string> {
  const gunzip = createGunzip()
  const read = pipeline(createReadStream(path), gunzip)
  // The reader gets the error from the iteration.
  read.catch(() => undefined)
  yield* createInterface({ input: gunzip, crlfDelay: Number.POSITIVE_INFINITY })
  await read
}

/** Copies a file, creating missing folders. */
export async function copyFile(from: string, folder: string, file: string): Promise<BackupFile> {
  const to = join(folder, file)
  await mkdir(dirname(to), { recursive: true })
  const digest = digestStream()
  await pipeline(createReadStream(from), digest.through, createWriteStream(to, { mode: 0o600 }))
  return { file, ...digest.result() }
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

/** Paths of the files below a folder, relative to it; empty when it does not exist. */
export async function filesBelow(folder: string): Promise<string[]> {
  if (!(await stat(folder).catch(() => undefined))) return []
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()
}

/** Tells whether two installations have the same secret. Guessing the secret from it is deliberately slow. */
export const fingerprint = (name: string, secret: string): string =>
  scryptSync(secret, `platform backup ${name}`, 12).toString('hex')
