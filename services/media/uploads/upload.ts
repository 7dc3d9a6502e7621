import type { HandlerContext, ServiceImpl } from '@connectrpc/connect'
import type { MediaService, UploadHead, UploadMediaRequest } from '../../../gen/platform/media/v1/media_pb.ts'
import { actingMember, ecosystemOfRecord, isPlatformCaller, openTenantsOf } from '../../kernel/access/access.ts'
import type { Ecosystem } from '../../kernel/access/tenant.ts'
import {
  ExternalServiceError,
  ForbiddenError,
  invalid,
  PayloadTooLargeError,
  ServiceUnavailableError,
} from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import { fileNameOf } from '../../kernel/files/file-name.ts'
import { isStorageFull } from '../../kernel/files/temporary-files.ts'
import { failpoint } from '../../kernel/process/failpoint.ts'
import type { Context } from '../context.ts'
import { fileOf } from '../files/files.ts'
import { canBeDecoded } from '../pictures/limits.ts'
import type { FileRow } from '../tables.ts'
import { sampleBytes } from './content.ts'
import { type NewFile, type StoredContent, startReceiving, type UploadReceiver } from './receive.ts'
import { type Chunks, repeatableUpload } from './repeat.ts'
import { abandonUpload, type Reservation, reservationOf } from './reservation.ts'

/** Owner and description of the file to store. */
type Target = { owner: Ecosystem; head: UploadHead; uploadedBy: string | null }

export const uploadHandlers = (media: Context): Pick<ServiceImpl<typeof MediaService>, 'uploadMedia'> => ({
  async uploadMedia(messages, context) {
    return { file: fileOf(await receiveFile(media, messages, context), media.publicUrl) }
  },
})

/**
 * Receives the head and then the bytes of a file. Reserves space before writing, and leaves nothing behind when the
 * upload fails. Memory use doesn't depend on the size.
 */
async function receiveFile(
  media: Context,
  messages: AsyncIterable<UploadMediaRequest>,
  context: HandlerContext,
): Promise<FileRow> {
  const chunks = messages[Symbol.asyncIterator]()
  try {
    const head = await headOf(chunks)
    const owner = openTarget(context, head.ecosystemId)
    if (isPlatformCaller(context)) await media.requireKnown(owner, head.folder)
    const uploadedBy = actingMember(context)?.memberId ?? null
    if ((head.size ?? 0) > media.maxFileBytes) throw tooLarge(media)
    const key = context.requestHeader.get('idempotency-key')
    const target = { owner, head, uploadedBy }
    if (key === null) return await store(media, target, chunks)
    const caller = `${uploadedBy ?? 'service'}\n${owner.ecosystemId}`
    return await repeatableUpload(media.db, { key, caller, head }, chunks, hashed => store(media, target, hashed))
  } finally {
    await chunks.return?.()
  }
}

async function store(media: Context, { owner, head, uploadedBy }: Target, chunks: Chunks): Promise<FileRow> {
  const { db, defaultQuotaBytes } = media
  const id = newId()
  const reservation = reservationOf(db, owner, id, defaultQuotaBytes)
  try {
    if (head.size) await reservation.cover(head.size)
    const { size, contentType, dimensions, isUndecodable } = await receiveBytes(
      media,
      { id, ecosystemId: owner.ecosystemId },
      reservation,
      chunks,
    )
    const { width = null, height = null } = dimensions ?? {}
    const hasThumbnail = !isUndecodable && canBeDecoded({ content_type: contentType, size, width, height })
    const file: FileRow = {
      id,
      ecosystem_id: owner.ecosystemId,
      folder: head.folder || 'general',
      // Cut after 255 characters, which may split a surrogate pair.
      file_name: fileNameOf(head.fileName).slice(0, 255).toWellFormed(),
      content_type: contentType,
      size,
      width,
      height,
      has_thumbnail: hasThumbnail ? 1 : 0,
      thumbnail_failures: 0,
      thumbnail_retry_at: null,
      uploaded_by: uploadedBy,
      created_at: new Date(),
      deleted_at: null,
    }
    failpoint('media-published')
    await reservation.settle(file)
    return file
  } catch (error) {
    // If the database or the store is unavailable, the sweep does this later.
    await abandonUpload(media, owner, id, { isLate: error instanceof ExternalServiceError }).catch(() => undefined)
    throw isStorageFull(error)
      ? new ServiceUnavailableError('The storage is full, try again later', { cause: error })
      : error
  }
}

const tooLarge = ({ maxFileBytes }: Context) =>
  new PayloadTooLargeError(`The file must not exceed ${maxFileBytes} bytes`)

async function headOf(chunks: Chunks): Promise<UploadHead> {
  const { value, done } = await chunks.next()
  if (done || value.part.case !== 'head') throw invalid('head', 'must come first', 'required')
  return value.part.value
}

/** The ecosystem of the file: the named one if it is the caller's, else the caller's own. */
function openTarget(context: HandlerContext, requestedId: string): Ecosystem {
  const { ecosystems, workspaces } = openTenantsOf(context)
  const ownIds = [...ecosystems, ...workspaces].map(one => one.ecosystemId)
  const ecosystemId = requestedId || (ownIds[0] ?? '')
  if (!isPlatformCaller(context) && !ownIds.includes(ecosystemId)) throw new ForbiddenError('Ecosystem access denied')
  if (!ecosystemId) throw invalid('ecosystemId', 'is required', 'required')
  return ecosystemOfRecord(context, ecosystemId, 'Ecosystem')
}

async function receiveBytes(
  media: Context,
  file: NewFile,
  reservation: Reservation,
  chunks: Chunks,
): Promise<StoredContent> {
  const beginning: Uint8Array[] = []
  let size = 0
  let receiver: UploadReceiver | undefined
  try {
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
      const { part } = next.value
      if (part.case !== 'chunk') throw invalid('chunk', 'must follow the head', 'required')
      if (part.value.length === 0) continue
      size += part.value.length
      if (size > media.maxFileBytes) throw tooLarge(media)
      await reservation.cover(size)
      if (receiver) await receiver.write(part.value)
      else beginning.push(part.value)
      if (!receiver && size >= sampleBytes) receiver = await startReceiving(media, file, beginning)
    }
    if (size === 0) throw invalid('file', 'must not be empty', 'required')
    receiver ??= await startReceiving(media, file, beginning)
    return await receiver.publish(total => reservation.cover(total))
  } finally {
    await receiver?.close()
  }
}
