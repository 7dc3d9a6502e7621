import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListMultipartUploadsCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import type { Provider } from '../../kernel/provider/provider.ts'
import type { ByteRange, ObjectDraft, ObjectStore } from './objects.ts'
import { type BucketSettings, bucketClient } from './s3-calls.ts'

/** The smallest part that S3 accepts. An upload buffers at most three, whatever its size. */
const partBytes = 5 * 1024 * 1024
const maxParallelParts = 2
const folder = 'files/'
const keyOf = (name: string) => folder + name

/** Stores files in a bucket of S3 or a compatible server, under files/<name>. */
export function openBucket(settings: BucketSettings, provider: Provider): ObjectStore {
  const client = bucketClient(settings, provider)
  const { bucket: Bucket } = settings

  const uploads = async (Prefix: string) => {
    const { Uploads = [] } = await client.send(new ListMultipartUploadsCommand({ Bucket, Prefix }))
    return Uploads
  }

  return {
    begin: async id => draftOf(client, Bucket, id),
    async put(name, bytes) {
      await client.send(new PutObjectCommand({ Bucket, Key: keyOf(name), Body: bytes }))
    },
    async read(name, range) {
      const command = new GetObjectCommand({ Bucket, Key: keyOf(name), ...(range && { Range: rangeHeader(range) }) })
      const { Body } = await client.send(command).catch(missingObject)
      return Body instanceof Readable ? Body : undefined
    },
    async remove(names) {
      await Promise.all(names.map(name => client.send(new DeleteObjectCommand({ Bucket, Key: keyOf(name) }))))
    },
    async discard(id) {
      for (const { Key, UploadId } of await uploads(keyOf(id)))
        await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
    },
    async drafts(before) {
      const openUploads = await uploads(folder)
      return openUploads
        .filter(({ Initiated = before }) => Initiated < before)
        .map(({ Key = '' }) => Key.slice(folder.length))
        .filter(Boolean)
    },
    async ready() {
      await client.send(new HeadBucketCommand({ Bucket }))
    },
    close: () => client.destroy(),
  }
}

const rangeHeader = ({ start, end }: ByteRange): string => `bytes=${start}-${end}`

/** Turns a missing object into an empty answer; rethrows other errors. */
function missingObject(error: unknown): { Body?: undefined } {
  if (error instanceof Error && /^(NoSuchKey|NotFound)$/.test(error.name)) return {}
  throw error
}

/** An upload in sequential parts; small files are sent whole. */
function draftOf(client: S3Client, Bucket: string, id: string): ObjectDraft {
  const body = new PassThrough({ highWaterMark: 1024 * 1024 })
  // `upload` reports the error.
  body.on('error', () => undefined)
  const params = { Bucket, Key: keyOf(id), Body: body }
  const upload = new Upload({ client, params, partSize: partBytes, queueSize: maxParallelParts }).done()
  // The upload is awaited only at the end, but writers must fail at once.
  upload.catch((error: Error) => body.destroy(error))
  let isPublished = false
  return {
    async write(bytes) {
      if (body.destroyed) await upload
      if (!body.write(bytes)) await Promise.race([once(body, 'drain'), upload])
    },
    async publish() {
      body.end()
      await upload
      isPublished = true
    },
    async close() {
      if (isPublished) return
      // Destroying the body makes the SDK finish pending parts and then abort the upload.
      body.destroy(new Error('the upload was abandoned'))
      await upload.catch(() => undefined)
    },
  }
}
