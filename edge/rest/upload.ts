import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { create, type DescMethodClientStreaming, type Message } from '@bufbuild/protobuf'
import multer, { MulterError } from 'multer'
import {
  invalid,
  PayloadTooLargeError,
  toPlatformError,
  UnsupportedMediaTypeError,
  ValidationError,
} from '../../services/kernel/errors.ts'
import { UploadMediaRequestSchema } from '../../gen/platform/media/v1/media_pb.ts'
import { rpcHeaders } from './credentials.ts'
import type { Call } from './handler.ts'

/** Largest upload, in bytes. A quota may stop it earlier. */
const maxFileBytes = 1024 * 1024 * 1024
const chunkBytes = 256 * 1024
const limits = {
  fileSize: maxFileBytes,
  files: 1,
  fields: 8,
  fieldSize: 4096,
  fieldNameSize: 64,
  parts: 10,
  headerPairs: 20,
}
/** Fields of the form beside the file. */
export const formFields = new Set(['folder', 'ecosystemId'])

/**
 * Takes a multipart form {file, folder, ecosystemId} and streams it into the route's RPC.
 * Forms may send the fields after the file, so the bytes wait on disk, never in memory.
 */
export async function receiveUpload(call: Call): Promise<Message> {
  const { route, transport, request, requestId } = call
  if (!request.is('multipart/form-data')) throw new UnsupportedMediaTypeError('The body must be multipart/form-data')
  const folder = await mkdtemp(path.join(tmpdir(), 'upload-'))
  try {
    await receive(call, folder)
    const { file } = request
    if (!file) throw invalid('file', 'is required', 'required')
    const head = headOf(request.body as Record<string, unknown>, file)
    const method = route.method as DescMethodClientStreaming
    const answer = await transport.stream(
      method,
      undefined,
      undefined,
      rpcHeaders(request, requestId),
      parts(head, file.path),
    )
    for await (const message of answer.message) return message
    throw new Error(`${method.name} answered nothing`)
  } catch (error) {
    throw asWritten(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The RPC speaks of head.folder where the client wrote folder. */
function asWritten(error: unknown): unknown {
  const { violations } = toPlatformError(error).info
  if (violations.length === 0) return error
  return new ValidationError(violations.map(one => ({ ...one, path: one.path.replace(/^head\./, '') })))
}

function receive({ request, response }: Call, folder: string): Promise<void> {
  const parse = multer({ dest: folder, limits }).single('file')
  return new Promise((resolve, reject) => {
    void parse(request, response, (error?: unknown) => (error ? reject(uploadError(error)) : resolve()))
  })
}

function uploadError(error: unknown): Error {
  // A full disk is not the client's fault.
  if (error instanceof Error && 'syscall' in error) return error
  if (!(error instanceof MulterError)) return invalid('body', 'is not a valid multipart form', 'multipart')
  if (error.code === 'LIMIT_FILE_SIZE')
    return new PayloadTooLargeError(`The file must not exceed ${maxFileBytes} bytes`)
  const field = error.code === 'LIMIT_FILE_COUNT' ? 'file' : error.field
  return invalid(field ?? 'body', error.message, 'multipart')
}

type Head = { folder: string; ecosystemId: string; fileName: string; contentType: string; size: number }

function headOf(body: Record<string, unknown>, file: Express.Multer.File): Head {
  for (const [key, value] of Object.entries(body)) {
    if (!formFields.has(key)) throw invalid(key, 'is not a known field', 'unknown_field')
    if (typeof value !== 'string') throw invalid(key, 'must be given once', 'duplicate')
  }
  const { folder = '', ecosystemId = '' } = body as { folder?: string; ecosystemId?: string }
  // Browsers send file names as UTF-8; the parser hands them on as Latin-1.
  const fileName = Buffer.from(file.originalname, 'latin1').toString('utf8').slice(0, 255)
  return { folder, ecosystemId, fileName, contentType: file.mimetype, size: file.size }
}

async function* parts(head: Head, path: string): AsyncIterable<Message> {
  yield create(UploadMediaRequestSchema, { part: { case: 'head', value: head } })
  for await (const chunk of createReadStream(path, { highWaterMark: chunkBytes }))
    yield create(UploadMediaRequestSchema, { part: { case: 'chunk', value: chunk as Buffer } })
}
