import type { Readable } from 'node:stream'
import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import type { FileChunkSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import type { Context } from '../context.ts'
import type { FileRow } from '../tables.ts'
import { type ThumbnailSize, thumbnailType } from '../thumbnails/thumbnails.ts'
import { selectBytes } from './range.ts'

type Chunks = AsyncGenerator<MessageInitShape<typeof FileChunkSchema>>

/** Types that browsers display without running them. All others are downloads. */
const displayableTypes = new Set([
  'image/png',
  'image/apng',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/bmp',
  'image/heic',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'audio/mpeg',
  'audio/mp4',
  'audio/x-m4a',
  'audio/ogg',
  'audio/wav',
  'audio/flac',
  'application/pdf',
  'text/plain; charset=utf-8',
])

/** Whether a browser must save a file of this type instead of showing it. */
export const isAttachment = (contentType: string): boolean => !displayableTypes.has(contentType)

/** The bytes under an id never change, nor do its thumbnails. */
const cacheControl = 'public, max-age=31536000, immutable'

/** The size that a variant names; undefined for the file itself. */
export function sizeOfVariant(variant: string | undefined): ThumbnailSize | undefined {
  if (variant === 'small' || variant === 'large') return variant
  return variant === 'medium' || variant === 'thumbnail' ? 'medium' : undefined
}

/** A stored file: its head and its bytes, or the part of them that the headers ask for. */
export async function* bytesOf({ objects }: Context, file: FileRow, context: HandlerContext): Chunks {
  const { id: etag, size, created_at: modified } = file
  const common = {
    contentType: file.content_type,
    fileName: file.file_name,
    attachment: isAttachment(file.content_type),
    etag,
    cacheControl,
    lastModified: timestampFromDate(modified),
    takesRanges: true,
  }
  const selection = selectBytes(context.requestHeader, { etag, size, modified })
  const totalSize = BigInt(size)
  if (selection.kind === 'head') return yield { head: { ...common, size: totalSize } }
  if (selection.kind === 'unsatisfiable')
    return yield { head: { ...common, size: 0n, range: { start: 0n, totalSize, unsatisfiable: true } } }
  const range = selection.kind === 'part' ? selection.range : undefined
  const bytes = await objects.read(file.id, range)
  if (!bytes) throw new NotFoundError('File not found')
  try {
    if (!range) yield { head: { ...common, size: totalSize } }
    else {
      const { start, end } = range
      yield { head: { ...common, size: BigInt(end - start + 1), range: { start: BigInt(start), totalSize } } }
    }
    for await (const data of bytes as AsyncIterable<Buffer>) yield { data }
  } finally {
    release(bytes)
  }
}

/** Without this, a reader who stops midway leaves a connection or a descriptor open. */
function release(bytes: Readable): void {
  bytes.on('error', () => undefined)
  bytes.destroy()
}

/** A thumbnail, small enough for one chunk. Throws NotFoundError for a file without thumbnails. */
export async function* thumbnailOf({ thumbnail }: Context, file: FileRow, size: ThumbnailSize): Chunks {
  const data = await thumbnail(file, size)
  if (!data) throw new NotFoundError('This file has no thumbnail')
  const etag = `${file.id}-${size}`
  const fileName = `${file.file_name.replace(/\.\w{1,5}$/, '')}-${size}.webp`
  const head = { contentType: thumbnailType, fileName, size: BigInt(data.length), etag, cacheControl }
  yield { head: { ...head, lastModified: timestampFromDate(file.created_at) }, data }
}
