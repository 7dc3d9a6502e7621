import { createHash } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import { bounded } from './chat-store.ts'
import { plain } from './wire.ts'

type Stored = { bytes: Buffer; type: string; etag: string; at: Date }
export type ObjectStore = { objects: Map<string, Stored>; bytes: number }

const maxTotal = 512_000_000

/**
 * A small S3, path style: PUT, GET (with a range), HEAD and DELETE of objects, ListObjectsV2. In memory, 512 MB in all.
 * A SigV4 authorization must be there; its signature is not checked. Bodies in aws-chunked coding are unwrapped.
 */
export function storageRoutes(store: ObjectStore): Router {
  const router = Router()
  router.use((req, res, next) => {
    if (/^AWS4-HMAC-SHA256 Credential=(?!invalid)/.test(req.headers.authorization ?? '')) return next()
    fail(res, 403, 'AccessDenied', 'Access Denied')
  })
  router.get('/:bucket', (req, res) => {
    const { bucket } = req.params
    const text = (name: string) => plain(req.query[name]).slice(0, 1024)
    const limit = bounded(req.query['max-keys'], 1000, 1, 1000)
    const after = text('continuation-token')
      ? Buffer.from(text('continuation-token'), 'base64url').toString()
      : text('start-after')
    const keys = [...store.objects.keys()]
      .filter(path => path.startsWith(`${bucket}/${text('prefix')}`))
      .map(path => path.slice(bucket.length + 1))
      .filter(key => key > after)
      .sort()
    const page = keys.slice(0, limit)
    const more = keys.length > limit
    const next = more
      ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? '').toString('base64url')}</NextContinuationToken>`
      : ''
    const rows = page.map(key => {
      const stored = store.objects.get(`${bucket}/${key}`)
      return `<Contents><Key>${xml(key)}</Key><LastModified>${stored?.at.toISOString()}</LastModified><ETag>${xml(stored?.etag ?? '')}</ETag><Size>${stored?.bytes.length}</Size></Contents>`
    })
    res
      .type('application/xml')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${xml(bucket)}</Name><Prefix>${xml(text('prefix'))}</Prefix><KeyCount>${page.length}</KeyCount><MaxKeys>${limit}</MaxKeys><IsTruncated>${more}</IsTruncated>${rows.join('')}${next}</ListBucketResult>`,
      )
  })
  router.use('/:bucket/*key', (req: Request<{ bucket: string; key: string[] }>, res) => {
    const path = `${req.params.bucket}/${req.params.key.join('/')}`
    if (path.length > 1100) return fail(res, 400, 'KeyTooLongError', 'Your key is too long')
    const stored = store.objects.get(path)
    if (req.method === 'PUT') {
      const raw = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
      const bytes = plain(req.headers['x-amz-content-sha256']).startsWith('STREAMING-') ? unchunk(raw) : raw
      if (!bytes) return fail(res, 400, 'IncompleteBody', 'The body is not in aws-chunked coding')
      if (store.bytes - (stored?.bytes.length ?? 0) + bytes.length > maxTotal)
        return fail(res, 507, 'InsufficientStorage', 'The sandbox is full')
      store.bytes += bytes.length - (stored?.bytes.length ?? 0)
      const etag = `"${createHash('md5').update(bytes).digest('hex')}"`
      store.objects.set(path, {
        bytes,
        etag,
        type: req.headers['content-type']?.slice(0, 200) ?? 'binary/octet-stream',
        at: new Date(),
      })
      return void res.set('ETag', etag).status(200).end()
    }
    if (req.method === 'DELETE') {
      store.bytes -= stored?.bytes.length ?? 0
      store.objects.delete(path)
      return void res.status(204).end()
    }
    if (req.method !== 'GET' && req.method !== 'HEAD')
      return fail(res, 405, 'MethodNotAllowed', 'The specified method is not allowed')
    if (!stored) return fail(res, 404, 'NoSuchKey', 'The specified key does not exist.')
    res.set({ ETag: stored.etag, 'Last-Modified': stored.at.toUTCString(), 'Accept-Ranges': 'bytes' })
    res.setHeader('Content-Type', stored.type)
    const range = req.range(stored.bytes.length)
    if (range === -1) return fail(res, 416, 'InvalidRange', 'The requested range is not satisfiable')
    const part = Array.isArray(range) && range.type === 'bytes' ? range[0] : undefined
    const bytes = part ? stored.bytes.subarray(part.start, part.end + 1) : stored.bytes
    if (part) res.status(206).set('Content-Range', `bytes ${part.start}-${part.end}/${stored.bytes.length}`)
    res.set('Content-Length', String(bytes.length))
    res.end(req.method === 'HEAD' ? undefined : bytes)
  })
  return router
}

// `<hex size>;chunk-signature=…\r\n<bytes>\r\n` until size 0; trailers after it are not needed.
function unchunk(raw: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let at = 0
  while (at < raw.length) {
    const end = raw.indexOf('\r\n', at)
    const size = /^([0-9a-f]{1,8})(;|$)/i.exec(end < 0 ? '' : raw.toString('latin1', at, end))?.[1]
    if (size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(parts)
    if (end + 2 + length > raw.length) return undefined
    parts.push(raw.subarray(end + 2, end + 2 + length))
    at = end + 4 + length
  }
  return undefined
}

function fail(res: Response, status: number, code: string, message: string) {
  res
    .status(status)
    .type('application/xml')
    .send(`<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
