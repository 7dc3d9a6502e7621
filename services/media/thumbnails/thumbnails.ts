import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { beginDecoding, endDecoding, locateFile, markWithoutThumbnail } from '../files.sql.ts'
import type { ObjectStore } from '../objects/objects.ts'
import type { Decoding } from '../pictures/decoding.ts'
import { openScratch, type Scratch } from '../pictures/scratch.ts'
import type { FileRow, MediaDb } from '../tables.ts'

/** Each size with the square, in pixels, that it fits into. */
const thumbnailSizes = { small: 160, medium: 480, large: 1280 } as const
export type ThumbnailSize = keyof typeof thumbnailSizes

/** Type of every thumbnail. */
export const thumbnailType = 'image/webp'

/** An attempt that hasn't ended by then never will. Longer than decoding.ts allows. */
const attemptMs = 60_000

/** Object names of a file's thumbnails. */
export const thumbnailNames = (id: string): string[] => Object.keys(thumbnailSizes).map(size => `${id}.${size}`)

export type Thumbnails = (file: FileRow, size: ThumbnailSize) => Promise<Buffer | undefined>

type Options = { db: MediaDb; objects: ObjectStore; decoding: Decoding; maxPixels: number }

/**
 * Makes each thumbnail on first request and stores it. Thumbnails count for no quota and are removed with their file.
 * Undefined when there can be none. Throws ServiceUnavailableError while too many are being made, or this one is.
 */
export function thumbnails({ db, objects, decoding, maxPixels }: Options): Thumbnails {
  const thumbnailsInProgress = new Map<string, Promise<Buffer | undefined>>()

  /**
   * Decodes a picture into a file. The attempt is recorded before it starts, by one process at a time: a picture that
   * ends a process or its machine isn't tried again [R58].
   * @returns whether it succeeded
   */
  const decode = ({ id }: FileRow, scratch: Scratch, size: ThumbnailSize): Promise<boolean> =>
    decoding.inTurn(async decodeOne => {
      const source = await objects.read(id)
      if (!source) return false
      for await (const chunk of source) await scratch.write(chunk as Buffer)
      if (!(await beginDecoding(db, id, new Date(Date.now() + attemptMs)))) return recordFailure(id)
      try {
        const { path, resultPath } = scratch
        const edge = thumbnailSizes[size]
        const result = await decodeOne({ make: 'thumbnail', source: path, target: resultPath, edge, maxPixels })
        if (typeof result !== 'object') await markWithoutThumbnail(db, id)
        return typeof result === 'object'
      } finally {
        await endDecoding(db, id)
      }
    })

  /** Another attempt hasn't ended: it runs in another process, or it killed that process. */
  async function recordFailure(id: string): Promise<false> {
    const file = await locateFile(db, id)
    if (file?.thumbnail_retry_at && file.thumbnail_retry_at.getTime() > Date.now())
      throw new ServiceUnavailableError('This thumbnail is in progress, try again', { retryAfterSeconds: 2 })
    await markWithoutThumbnail(db, id)
    return false
  }

  async function makeThumbnail(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const scratch = await openScratch(file.ecosystem_id)
    try {
      if (!(await decode(file, scratch, size))) return undefined
      const bytes = await readFile(scratch.resultPath)
      const name = `${file.id}.${size}`
      await objects.put(name, bytes)
      // The file was deleted meanwhile, without its thumbnail.
      if (!(await locateFile(db, file.id))) await objects.remove([name])
      return bytes
    } finally {
      await scratch.remove()
    }
  }

  async function find(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const object = await objects.read(`${file.id}.${size}`)
    return object ? buffer(object) : makeThumbnail(file, size)
  }

  return async (file, size) => {
    if (!file.has_thumbnail) return undefined
    const name = `${file.id}.${size}`
    const one = thumbnailsInProgress.get(name) ?? find(file, size).finally(() => thumbnailsInProgress.delete(name))
    thumbnailsInProgress.set(name, one)
    return one
  }
}
