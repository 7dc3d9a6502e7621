import { randomBytes } from 'node:crypto'
import type { Request, Response } from 'express'
import { toText } from '../request-values.ts'
import { type BucketStore, dropUpload, hasRoom, type Multipart, md5, putObject } from './objects.ts'
import { bytesOf, fail, sendXml, text, xml } from './xml.ts'

/** POST ?uploads: starts a multipart upload. */
export function createUpload(store: BucketStore, path: string, req: Request, res: Response): void {
  const id = randomBytes(24).toString('base64url')
  const type = req.headers['content-type']?.slice(0, 200) ?? 'binary/octet-stream'
  store.uploads.set(id, { path, type, parts: new Map(), startedAt: new Date() })
  const [bucket = '', ...key] = path.split('/')
  const names = `<Bucket>${xml(bucket)}</Bucket><Key>${xml(key.join('/'))}</Key>`
  sendXml(res, 'InitiateMultipartUploadResult', `${names}<UploadId>${id}</UploadId>`)
}

/** PUT, POST and DELETE ?uploadId=: a part, the completion or the abort of a multipart upload. */
export function continueUpload(store: BucketStore, path: string, req: Request, res: Response): void {
  const id = text(req, 'uploadId')
  const upload = store.uploads.get(id)
  if (upload?.path !== path) return fail(res, 404, 'NoSuchUpload', 'The specified upload does not exist.')
  if (req.method === 'PUT') return putPart(store, upload, req, res)
  if (req.method === 'POST') return complete(store, id, upload, req, res)
  if (req.method !== 'DELETE') return fail(res, 405, 'MethodNotAllowed', 'The specified method is not allowed')
  dropUpload(store, id)
  res.status(204).end()
}

function putPart(store: BucketStore, upload: Multipart, req: Request, res: Response): void {
  const number = /^[1-9]\d{0,4}$/.test(text(req, 'partNumber')) ? Number(text(req, 'partNumber')) : 0
  if (number < 1 || number > 10_000) return fail(res, 400, 'InvalidArgument', 'Part number must be from 1 to 10000')
  const bytes = bytesOf(req)
  const replacedBytes = upload.parts.get(number)?.bytes.length ?? 0
  if (!hasRoom(store, bytes.length, replacedBytes)) return fail(res, 507, 'InsufficientStorage', 'The sandbox is full')
  store.bytes += bytes.length - replacedBytes
  const etag = `"${md5(bytes)}"`
  upload.parts.set(number, { bytes, etag })
  res.set('ETag', etag).status(200).end()
}

function complete(store: BucketStore, id: string, upload: Multipart, req: Request, res: Response): void {
  const numbers = [...toText(req.body?.toString('utf8')).matchAll(/<PartNumber>(\d{1,5})</g)].map(match =>
    Number(match[1]),
  )
  const parts = numbers.flatMap(number => upload.parts.get(number) ?? [])
  if (parts.length === 0 || parts.length < numbers.length)
    return fail(res, 400, 'InvalidPart', 'One or more of the specified parts could not be found.')
  const etag = `"${md5(...parts.map(part => Buffer.from(part.etag.slice(1, -1), 'hex')))}-${parts.length}"`
  const size = parts.reduce((sum, { bytes }) => sum + bytes.length, 0)
  dropUpload(store, id)
  const { path, type } = upload
  putObject(store, path, { parts: parts.map(part => part.bytes), size, type, etag, modifiedAt: new Date() })
  const [bucket = '', ...key] = path.split('/')
  const names = `<Bucket>${xml(bucket)}</Bucket><Key>${xml(key.join('/'))}</Key>`
  sendXml(res, 'CompleteMultipartUploadResult', `${names}<ETag>${xml(etag)}</ETag>`)
}

/** GET ?uploads of a bucket: the multipart uploads in progress, at most 1000. */
export function listUploads(store: BucketStore, bucket: string, req: Request, res: Response): void {
  const rows = [...store.uploads]
    .filter(([, { path }]) => path.startsWith(`${bucket}/${text(req, 'prefix')}`))
    .map(([id, { path, startedAt }]) => {
      const key = xml(path.slice(bucket.length + 1))
      return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`
    })
  sendXml(
    res,
    'ListMultipartUploadsResult',
    `<Bucket>${xml(bucket)}</Bucket><IsTruncated>false</IsTruncated>${rows.join('')}`,
  )
}
