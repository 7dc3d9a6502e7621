import { buffer } from 'node:stream/consumers'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { locateFile, markWithoutThumbnail, postponeThumbnail } from '../files.sql.ts'
import type { ObjectStore } from '../objects/objects.ts'
import type { Db, FileRow } from '../tables.ts'

/** Each size with the square, in pixels, that it fits into. */
const thumbnailSizes = { small: 160, medium: 480, large: 1280 } as const
export type ThumbnailSize = keyof typeof thumbnailSizes

/** Type of every thumbnail. */
export const thumbnailType = 'image/webp'

/** Larger files get no thumbnails. */
const maxSourceBytes = 50_000_000
const atOnce = 2
const waiting = 64

/**
 * Attempts at a thumbnail that times out, after pauses of 1, 4, 16 and 64 minutes, since the machine may be what's
 * slow.
 */
const mostTries = 5
const pauseAfter = (failures: number): number => 60 * 4 ** (failures - 1)

/** Limits for decoding a picture; seconds must be whole. */
type Bounds = { edge: number; maxPixels: number; seconds: number }

/** Formats that sharp may read here. Not SVG, which can run scripts, nor HEIC, whose decoder isn't free. */
const readable = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif'])

/** Whether a file will have thumbnails, judged by its beginning. */
export const canHaveThumbnail = (file: Pick<FileRow, 'content_type' | 'size' | 'width'>): boolean =>
  readable.has(file.content_type) && file.width !== null && file.size <= maxSourceBytes

/** Object names of a file's thumbnails. */
export const thumbnailNames = (id: string): string[] => Object.keys(thumbnailSizes).map(size => `${id}.${size}`)

export type Thumbnails = (file: FileRow, size: ThumbnailSize) => Promise<Buffer | undefined>

type Options = { db: Db; objects: ObjectStore; maxPixels: number; seconds?: number }

/**
 * Makes each thumbnail on first request and stores it. Thumbnails count for no quota and are removed with their file.
 * Undefined when there can be none. Throws ServiceUnavailableError while too many are being made, and until a timed-out
 * one is due for retry.
 * @param options `seconds` limits one thumbnail: a whole number, 10 by default
 */
export function thumbnails({ db, objects, maxPixels, seconds = 10 }: Options): Thumbnails {
  const turns = bulkhead(atOnce, waiting)
  const coming = new Map<string, Promise<Buffer | undefined>>()

  async function make(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const source = await objects.read(file.id)
    if (!source) return undefined
    const original = await buffer(source)
    const bounds = { edge: thumbnailSizes[size], maxPixels, seconds }
    const began = performance.now()
    // Concurrent failures share error texts, so a timeout is recognised by its duration.
    const made = await shrink(original, bounds).catch(() =>
      performance.now() - began >= seconds * 1000 ? 'late' : 'damaged',
    )
    if (made === 'late' && file.thumbnail_failures + 1 < mostTries) return postpone(file)
    if (typeof made === 'string') {
      await markWithoutThumbnail(db, file.id)
      return undefined
    }
    const name = `${file.id}.${size}`
    await objects.put(name, made)
    // The file was deleted meanwhile, without its thumbnail.
    if (!(await locateFile(db, file.id))) await objects.remove([name])
    return made
  }

  async function postpone(file: FileRow): Promise<never> {
    const failures = file.thumbnail_failures + 1
    await postponeThumbnail(db, file.id, failures, new Date(Date.now() + pauseAfter(failures) * 1000))
    throw tookTooLong(pauseAfter(failures))
  }

  async function find(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const stored = await objects.read(`${file.id}.${size}`)
    if (stored) return buffer(stored)
    const wait = (file.thumbnail_retry_at?.getTime() ?? 0) - Date.now()
    if (wait > 0) throw tookTooLong(Math.ceil(wait / 1000))
    return turns.execute(() => make(file, size))
  }

  return async (file, size) => {
    if (!file.has_thumbnail) return undefined
    const name = `${file.id}.${size}`
    const one = coming.get(name) ?? find(file, size).finally(() => coming.delete(name))
    coming.set(name, one)
    try {
      return await one
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      throw new ServiceUnavailableError('Too many thumbnails in progress, try again', {
        retryAfterSeconds: 2,
        cause: error,
      })
    }
  }
}

const tookTooLong = (retryAfterSeconds: number) =>
  new ServiceUnavailableError('Creating the thumbnail took too long', { retryAfterSeconds })

/**
 * Shrinks a picture into a square, upright, as WebP, without metadata (place, time, camera); of an animation, the first
 * image.
 */
async function shrink(original: Buffer, { edge, maxPixels: limitInputPixels, seconds }: Bounds): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  // One thread per picture, so that pictures never occupy the whole pool. sharp's cache would only grow.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(original, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true })
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds })
    .webp({ quality: 80 })
    .toBuffer()
}
