import type { HandlerContext } from '@connectrpc/connect'
import type { UploadHead, UploadMediaRequest } from '../../gen/platform/media/v1/media_pb.ts'
import { ecosystemOfRecord, isPlatformCaller, maybeCaller } from '../kernel/access.ts'
import { ForbiddenError, invalid, ServiceUnavailableError } from '../kernel/errors.ts'
import { newId } from '../kernel/ids.ts'
import type { Ecosystem } from '../kernel/tenant.ts'
import { sampleBytes, typeOf } from './content.ts'
import { dimensionsOf } from './dimensions.ts'
import type { Disk } from './disk.ts'
import { displayName } from './names.ts'
import { abandonUpload, type Reservation, reservationOf } from './reservation.ts'
import type { Db, FileRow } from './tables.ts'

/** What the handlers of the media service take. */
export type Media = { db: Db; disk: Disk; publicUrl: string; defaultQuotaBytes: number }

/**
 * Takes the head and then the bytes of a file. Nothing is written before its space is reserved,
 * and nothing stays behind when the upload fails. Memory does not depend on the size.
 */
export async function receiveFile(
  { db, disk, defaultQuotaBytes }: Media,
  messages: AsyncIterable<UploadMediaRequest>,
  context: HandlerContext,
): Promise<FileRow> {
  const parts = messages[Symbol.asyncIterator]()
  const head = await headOf(parts)
  const owner = openTarget(context, head.ecosystemId)
  const id = newId()
  const reservation = reservationOf(db, owner, id, defaultQuotaBytes)
  try {
    if (head.size) await reservation.cover(head.size)
    const { size, sample } = await writeChunks(disk, id, reservation, parts)
    const contentType = await typeOf(sample)
    const dimensions = dimensionsOf(contentType, sample)
    const file: FileRow = {
      id,
      ecosystem_id: owner.ecosystemId,
      folder: head.folder || 'general',
      file_name: displayName(head.fileName),
      content_type: contentType,
      size,
      width: dimensions?.width ?? null,
      height: dimensions?.height ?? null,
      uploaded_by: maybeCaller(context)?.memberId ?? null,
      created_at: new Date(),
      deleted_at: null,
    }
    await reservation.settle(file)
    return file
  } catch (error) {
    // Without its database the upload is left to the sweep.
    await abandonUpload({ db, disk }, owner, id).catch(() => undefined)
    throw isDiskFull(error) ? new ServiceUnavailableError('The storage is full, try later', { cause: error }) : error
  } finally {
    await parts.return?.()
  }
}

async function headOf(parts: AsyncIterator<UploadMediaRequest>): Promise<UploadHead> {
  const { value, done } = await parts.next()
  if (done || value.part.case !== 'head') throw invalid('head', 'must come first', 'required')
  return value.part.value
}

/** The ecosystem that gets the file: the named one when it is the caller's, else the caller's own. */
function openTarget(context: HandlerContext, named: string): Ecosystem {
  const member = maybeCaller(context)
  const own = [...(member?.ecosystems ?? []), ...(member?.workspaces ?? [])].map(each => each.ecosystemId)
  const ecosystemId = named || (own[0] ?? '')
  if (!isPlatformCaller(context) && !own.includes(ecosystemId)) throw new ForbiddenError('Ecosystem access denied')
  if (!ecosystemId) throw invalid('ecosystemId', 'is required', 'required')
  return ecosystemOfRecord(context, ecosystemId, 'Ecosystem')
}

async function writeChunks(
  disk: Disk,
  id: string,
  reservation: Reservation,
  parts: AsyncIterator<UploadMediaRequest>,
): Promise<{ size: number; sample: Uint8Array }> {
  const beginning: Uint8Array[] = []
  let sampled = 0
  let size = 0
  let draft: Awaited<ReturnType<Disk['begin']>> | undefined
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next()) {
      const { part } = next.value
      if (part.case !== 'chunk') throw invalid('chunk', 'must follow the head', 'required')
      const chunk = part.value
      if (chunk.length === 0) continue
      size += chunk.length
      await reservation.cover(size)
      draft ??= await disk.begin(id)
      await draft.write(chunk)
      if (sampled < sampleBytes) beginning.push(chunk.slice(0, sampleBytes - sampled))
      sampled += chunk.length
    }
    if (!draft) throw invalid('file', 'is required', 'required')
    await draft.publish()
  } finally {
    await draft?.close()
  }
  return { size, sample: Buffer.concat(beginning) }
}

const isDiskFull = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOSPC'
