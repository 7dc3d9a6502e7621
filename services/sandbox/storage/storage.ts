import { type Request, type Response, Router } from 'express'
import { continueUpload, createUpload, listUploads } from './multipart.ts'
import { type BucketStore, hasRoom, md5, putObject, removeObject, type StoredObject, slices } from './objects.ts'
import { bytesOf, fail } from './xml.ts'

type ObjectRequest = Request<{ bucket: string; key: string[] }>

/**
 * A small S3, path style: PUT, GET (with a range), HEAD and DELETE of objects, multipart uploads. In memory, 512 MB in
 * all. Requires a SigV4 authorization, but doesn't check its signature.
 * Every bucket exists, except those named missing-….
 */
export function storageRoutes(store: BucketStore): Router {
  const router = Router()
  router.use((req, res, next) => {
    if (/^AWS4-HMAC-SHA256 Credential=(?!invalid)/.test(req.headers.authorization ?? '')) return next()
    fail(res, 403, 'AccessDenied', 'Access Denied')
  })
  router.use('/:bucket', (req, res, next) => {
    if (!req.params.bucket.startsWith('missing-')) return next()
    fail(res, 404, 'NoSuchBucket', 'The specified bucket does not exist')
  })
  router.get('/:bucket', (req, res) => listUploads(store, req.params.bucket, req, res))
  router.use('/:bucket/*key', (req: ObjectRequest, res) => {
    const path = `${req.params.bucket}/${req.params.key.join('/')}`
    if (path.length > 1100) return fail(res, 400, 'KeyTooLongError', 'Your key is too long')
    if (req.query['uploadId'] !== undefined) return continueUpload(store, path, req, res)
    if (req.method === 'POST' && req.query['uploads'] !== undefined) return createUpload(store, path, req, res)
    if (req.method === 'PUT') return storeObject(store, path, req, res)
    if (req.method === 'DELETE') {
      removeObject(store, path)
      return void res.status(204).end()
    }
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return fail(res, 405, 'MethodNotAllowed', 'The specified method is not allowed')
    const object = store.objects.get(path)
    if (!object) return fail(res, 404, 'NoSuchKey', 'The specified key does not exist.')
    send(object, req, res)
  })
  return router
}

function storeObject(store: BucketStore, path: string, req: Request, res: Response): void {
  const bytes = bytesOf(req)
  if (!hasRoom(store, bytes.length, store.objects.get(path)?.size))
    return fail(res, 507, 'InsufficientStorage', 'The sandbox is full')
  const etag = `"${md5(bytes)}"`
  const type = req.headers['content-type']?.slice(0, 200) ?? 'binary/octet-stream'
  putObject(store, path, { parts: [bytes], size: bytes.length, type, etag, modifiedAt: new Date() })
  res.set('ETag', etag).status(200).end()
}

function send({ parts, size, type, etag, modifiedAt }: StoredObject, req: Request, res: Response): void {
  res.set({ ETag: etag, 'Last-Modified': modifiedAt.toUTCString(), 'Accept-Ranges': 'bytes' })
  res.setHeader('Content-Type', type)
  const range = req.range(size)
  if (range === -1) return fail(res, 416, 'InvalidRange', 'The requested range is not satisfiable')
  const part = Array.isArray(range) && range.type === 'bytes' ? range[0] : undefined
  const { start, end } = part ?? { start: 0, end: size - 1 }
  if (part) res.status(206).set('Content-Range', `bytes ${start}-${end}/${size}`)
  res.set('Content-Length', String(end - start + 1))
  if (req.method !== 'HEAD') for (const slice of slices(parts, start, end)) res.write(slice)
  res.end()
}
