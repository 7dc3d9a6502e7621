import { buffer } from 'node:stream/consumers'
import { bulkhead, BulkheadRejectedError } from 'cockatiel'
import { ServiceUnavailableError } from '../kernel/errors.ts'
import { locateFile, markWithoutThumbnail } from './files.sql.ts'
import type { ObjectStore } from './objects.ts'
import type { Db, FileRow } from './tables.ts'

/** The sizes there are, and the square in pixels that each fits into. */
export const thumbnailSizes = { small: 160, medium: 480, large: 1280 } as const
export type ThumbnailSize = keyof typeof thumbnailSizes

/** What every thumbnail is, whatever it was made of. */
export const thumbnailType = 'image/webp'

/** Larger files are no picture that somebody looks at in small. */
const maxSourceBytes = 50_000_000
const atOnce = 2
const waiting = 64
const seconds = 10

/** What sharp reads here. SVG runs programs, and HEIC needs a decoder that is not free. */
const readable = new Set(['image/jpeg', 'image/png', 'image/apng', 'image/gif', 'image/webp', 'image/avif'])

/** Whether a file will have thumbnails, as far as its beginning tells. */
export const canHaveThumbnail = (file: Pick<FileRow, 'content_type' | 'size' | 'width'>): boolean =>
  readable.has(file.content_type) && file.width !== null && file.size <= maxSourceBytes

/** Names under which the thumbnails of a file are stored. */
export const thumbnailNames = (id: string): string[] => Object.keys(thumbnailSizes).map(size => `${id}.${size}`)

export type Thumbnails = (file: FileRow, size: ThumbnailSize) => Promise<Buffer | undefined>

type Places = { db: Db; objects: ObjectStore; maxPixels: number }

/**
 * Thumbnails, each made when somebody asks for it first and then kept. They count for no quota and go with their file.
 * Undefined when there can be none; ServiceUnavailableError while too many are being made.
 */
export function thumbnails({ db, objects, maxPixels }: Places): Thumbnails {
  const turns = bulkhead(atOnce, waiting)
  const coming = new Map<string, Promise<Buffer | undefined>>()

  async function make(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const source = await objects.read(file.id)
    if (!source) return undefined
    const original = await buffer(source)
    const made = await shrink(original, thumbnailSizes[size], maxPixels).catch(() => undefined)
    if (!made) {
      await markWithoutThumbnail(db, file.id)
      return undefined
    }
    const name = `${file.id}.${size}`
    await objects.put(name, made)
    // Whoever deleted the file meanwhile did not see the thumbnail.
    if (!(await locateFile(db, file.id))) await objects.remove([name])
    return made
  }

  async function find(file: FileRow, size: ThumbnailSize): Promise<Buffer | undefined> {
    const stored = await objects.read(`${file.id}.${size}`)
    if (stored) return buffer(stored)
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
      throw new ServiceUnavailableError('Too many thumbnails are being made', { retryAfterSeconds: 2, cause: error })
    }
  }
}

/** The picture upright in a square, in WebP, without what its metadata tell of place, time and camera; of an animation the first image. */
async function shrink(original: Buffer, edge: number, limitInputPixels: number): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  // Each takes one thread, so that pictures never hold all that the process has; its own cache would only grow.
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp(original, { limitInputPixels, failOn: 'error', pages: 1, sequentialRead: true })
    .autoOrient()
    .resize({ width: edge, height: edge, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds })
    .webp({ quality: 80 })
    .toBuffer()
}
