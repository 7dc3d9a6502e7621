import { ServiceUnavailableError } from '../base/errors.ts'

/** What the temporary files of a process may hold together, in bytes: containers have little room for them, or evict. */
export const maxTemporaryBytes = 2 ** 30
/** What several files of one holder may hold together, so that nobody alone keeps the others out. */
export const maxHolderBytes = maxTemporaryBytes / 4

/** A file in the folder for temporary files (TMPDIR). */
type TemporaryFile = {
  /** Counts bytes before they are written. ServiceUnavailableError when there is no room for them. */
  grow(bytes: number): void
  /** The file is gone. */
  end(): void
}

type Holding = { files: number; bytes: number }
const holdings = new Map<string, Holding>()
let total = 0

/** Whether a file couldn't grow because the disk or the quota is full. */
export const isStorageFull = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && fullCodes.has(String(error.code))
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** @param holder who has the file written, such as a client's address */
export function countTemporaryFile(holder: string): TemporaryFile {
  const holding = holdings.get(holder) ?? { files: 0, bytes: 0 }
  holdings.set(holder, holding)
  holding.files++
  let size = 0
  return {
    grow(bytes) {
      const exceedsShare = holding.files > 1 && holding.bytes + bytes > maxHolderBytes
      if (exceedsShare || total + bytes > maxTemporaryBytes)
        throw new ServiceUnavailableError('Too many uploads are in progress, try again later', { retryAfterSeconds: 5 })
      size += bytes
      holding.bytes += bytes
      total += bytes
    },
    end() {
      total -= size
      holding.bytes -= size
      size = 0
      holding.files--
      if (holding.files === 0) holdings.delete(holder)
    },
  }
}
