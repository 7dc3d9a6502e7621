import { createHash } from 'node:crypto'
import type { UploadHead, UploadMediaRequest } from '../../../gen/platform/media/v1/media_pb.ts'
import { ConflictError, invalid, UnprocessableError } from '../../kernel/base/errors.ts'
import { digest } from '../../kernel/base/secrets.ts'
import { claimKey, releaseKey, storeAnswer, whileClaimed } from '../../kernel/rpc/idempotency.sql.ts'
import type { FileRow, MediaDb } from '../tables.ts'

/** The messages of an upload after its head. */
export type Chunks = AsyncIterator<UploadMediaRequest>

const form = /^[\x21-\x7e]{1,255}$/

type UploadRequest = { key: string; caller: string; head: UploadHead }
/** The received bytes, which are others than the stored ones of a picture. */
type StoredAnswer = { sha256: string; size: number; file: FileRow }

/**
 * Makes an upload repeatable under its Idempotency-Key, like JSON routes: for a day, the same file of the same
 * caller gets the first answer and isn't stored again. The bytes are compared as well: another file is a 422.
 */
export async function repeatableUpload(
  db: MediaDb,
  { key, caller, head }: UploadRequest,
  chunks: Chunks,
  store: (chunks: Chunks) => Promise<FileRow>,
): Promise<FileRow> {
  if (!form.test(key)) throw invalid('Idempotency-Key', 'must have 1 to 255 visible ASCII characters', 'string.pattern')
  const { folder, fileName, size } = head
  const keyClaim = await claimKey(db, digest(`upload\n${caller}\n${key}`), [
    digest(JSON.stringify([folder, fileName, size])),
  ])
  if (keyClaim.kind === 'other') throw otherRequest()
  if (keyClaim.kind === 'running')
    throw new ConflictError('A request with this Idempotency-Key is in progress', { retryAfterSeconds: 1 })
  const { hashedChunks, received } = hashing(chunks)
  if (keyClaim.kind === 'answered') {
    const firstAnswer = JSON.parse(keyClaim.answer) as StoredAnswer
    for (let next = await hashedChunks.next(); !next.done; next = await hashedChunks.next()) {
      const { part } = next.value
      // Refused while it arrives, because a stream may never end.
      if (part.case !== 'chunk' || received().size > firstAnswer.size) throw otherRequest()
    }
    if (received().sha256() !== firstAnswer.sha256) throw otherRequest()
    return { ...firstAnswer.file, created_at: new Date(firstAnswer.file.created_at) }
  }
  const { claim } = keyClaim
  try {
    const file = await whileClaimed(db, claim, () => store(hashedChunks))
    const { size, sha256 } = received()
    const answer: StoredAnswer = { sha256: sha256(), size, file }
    await storeAnswer(db, claim, JSON.stringify(answer)).catch(() => undefined)
    return file
  } catch (error) {
    // A refused upload has stored nothing, so its key is released.
    await releaseKey(db, claim).catch(() => undefined)
    throw error
  }
}

const otherRequest = () => new UnprocessableError('This Idempotency-Key was used for another request')

/** Passes chunks through, counts their bytes and computes their digest. */
function hashing(chunks: Chunks) {
  const hash = createHash('sha256')
  let size = 0
  const hashedChunks: Chunks = {
    async next(): Promise<IteratorResult<UploadMediaRequest>> {
      const next = await chunks.next()
      if (!next.done && next.value.part.case === 'chunk') {
        size += next.value.part.value.length
        hash.update(next.value.part.value)
      }
      return next
    },
  }
  return { hashedChunks, received: () => ({ size, sha256: () => hash.digest('hex') }) }
}
