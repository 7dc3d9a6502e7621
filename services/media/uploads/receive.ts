import { createReadStream } from 'node:fs'
import { invalid } from '../../kernel/base/errors.ts'
import type { Context } from '../context.ts'
import { cleanPicture, isCleanable } from '../pictures/clean.ts'
import { canBeDecoded } from '../pictures/limits.ts'
import { bytesOfParts, type CleanPicture, type SizedPicture, sizeOf } from '../pictures/parts.ts'
import { openScratch, type Scratch } from '../pictures/scratch.ts'
import { sampleBytes, typeOf } from './content.ts'
import { type Dimensions, dimensionsOf } from './dimensions.ts'

export type NewFile = { id: string; ecosystemId: string }
/** What a file is, by its bytes. */
type Content = { contentType: string; dimensions: Dimensions | undefined }
/** What was stored of a file. */
export type StoredContent = Content & {
  size: number
  /** Whether the picture failed to be decoded, so that nothing tries it again. */
  isUndecodable?: boolean
}

/** Receives the bytes of one file. */
export type UploadReceiver = {
  write(bytes: Uint8Array): Promise<void>
  /** @param cover reserves space for the bytes that are stored in the end */
  publish(cover: (size: number) => Promise<void>): Promise<StoredContent>
  close(): Promise<void>
}

/**
 * Chooses by its beginning how a file is received. Refuses a picture with too many pixels before the rest of it arrives.
 */
export async function startReceiving(media: Context, file: NewFile, beginning: Uint8Array[]): Promise<UploadReceiver> {
  const sample = Buffer.concat(beginning).subarray(0, sampleBytes)
  const contentType = await typeOf(sample)
  const content = { contentType, dimensions: dimensionsOf(contentType, sample) }
  if (contentType !== 'image/svg+xml') checkPixels(media, content.dimensions)
  const isCleaned = !media.keepsMetadata && isCleanable(contentType)
  const receiver = await (isCleaned ? pictureReceiver : fileReceiver)(media, file, content)
  try {
    for (const bytes of beginning) await receiver.write(bytes)
    return receiver
  } catch (error) {
    await receiver.close()
    throw error
  }
}

function checkPixels({ maxPixels }: Context, dimensions: Dimensions | undefined): void {
  if (!dimensions || dimensions.width * dimensions.height <= maxPixels) return
  const { width, height } = dimensions
  throw invalid('file', `has ${width} × ${height} pixels; a picture must not have more than ${maxPixels}`, 'pixels')
}

/** Stores the bytes as they come. */
async function fileReceiver({ objects }: Context, { id }: NewFile, content: Content): Promise<UploadReceiver> {
  const draft = await objects.begin(id)
  let size = 0
  return {
    async write(bytes) {
      size += bytes.length
      await draft.write(bytes)
    },
    async publish() {
      await draft.publish()
      return { ...content, size }
    },
    close: () => draft.close(),
  }
}

/** Receives a picture beside the store, and stores it upright, without the place and the device that it names [R58]. */
async function pictureReceiver(
  media: Context,
  { id, ecosystemId }: NewFile,
  content: Content,
): Promise<UploadReceiver> {
  const scratch = await openScratch(ecosystemId)
  let receivedBytes = 0
  return {
    async write(bytes) {
      receivedBytes += bytes.length
      await scratch.write(bytes)
    },
    async publish(cover) {
      const cleanedPicture = await cleanPicture(content.contentType, scratch.handle, receivedBytes)
      const dimensions = content.dimensions ?? displayedSizeOf(cleanedPicture)
      checkPixels(media, dimensions)
      const turnResult = await turnUpright(media, scratch, { ...content, size: receivedBytes }, cleanedPicture)
      const size = typeof turnResult === 'object' ? turnResult.size : sizeOf(cleanedPicture.parts)
      await cover(size)
      const draft = await media.objects.begin(id)
      try {
        const isTurned = typeof turnResult === 'object'
        const bytes = isTurned
          ? createReadStream(scratch.resultPath)
          : bytesOfParts(scratch.handle, cleanedPicture.parts)
        for await (const chunk of bytes) await draft.write(chunk as Buffer)
        await draft.publish()
        const result = { contentType: content.contentType, size, dimensions: isTurned ? turnResult : dimensions }
        return { ...result, isUndecodable: turnResult === 'failed' }
      } finally {
        await draft.close()
      }
    },
    close: () => scratch.remove(),
  }
}

function displayedSizeOf({ width, height, orientation }: SizedPicture): Dimensions | undefined {
  if (!width || !height) return undefined
  return orientation < 5 ? { width, height } : { width: height, height: width }
}

/** Turns a picture upright. One that can't be turned, or not now, keeps its orientation as its only metadata. */
async function turnUpright(
  { decoding, maxPixels, log }: Context,
  { path, resultPath }: Scratch,
  { contentType, dimensions, size }: StoredContent,
  { orientation }: CleanPicture,
) {
  const { width = null, height = null } = dimensions ?? {}
  if (orientation === 1 || !canBeDecoded({ content_type: contentType, size, width, height }, { isUpright: true }))
    return undefined
  try {
    return await decoding.inTurn(decode => decode({ make: 'upright', source: path, target: resultPath, maxPixels }))
  } catch (err) {
    log.warn({ err }, 'a picture is stored without being turned')
    return undefined
  }
}
