import type { Readable } from 'node:stream'
import { create, type DescMethodClientStreaming, type Message } from '@bufbuild/protobuf'
import { Code, ConnectError } from '@connectrpc/connect'
import multer, { MulterError, type StorageEngine } from 'multer'
import { ErrorInfoSchema } from '../../../gen/platform/common/v1/common_pb.ts'
import { UploadMediaRequestSchema } from '../../../gen/platform/media/v1/media_pb.ts'
import { addressKey } from '../../../services/kernel/base/client-address.ts'
import {
  invalid,
  PayloadTooLargeError,
  ServiceUnavailableError,
  toRpcError,
  UnsupportedMediaTypeError,
  ValidationError,
  type Violation,
} from '../../../services/kernel/base/errors.ts'
import { decodeFileName, fileNameOf } from '../../../services/kernel/files/file-name.ts'
import { isStorageFull } from '../../../services/kernel/files/temporary-files.ts'
import type { RestCall } from '../call.ts'
import { rpcHeaders } from '../credentials.ts'
import { watchForm } from './size.ts'
import { openSpool } from './spool.ts'

/** Limit of everything in a form beside its file, in bytes. */
const maxFormBytes = 256 * 1024
const bufferedBytes = 64 * 1024
const maxNameLength = 255
const limits = {
  files: 1,
  fields: 8,
  fieldSize: 4096,
  fieldNameSize: 64,
  parts: 10,
  headerPairs: 20,
}
/** The form's fields beside the file. */
export const formFields = new Set(['folder', 'ecosystemId'])

type File = Pick<Express.Multer.File, 'originalname' | 'mimetype'>
type Head = { folder: string; ecosystemId: string; fileName: string; contentType: string }
type Fields = Record<string, unknown>

/**
 * Streams a multipart form {file, folder, ecosystemId} into the route's RPC. When the fields come before the file, its
 * bytes pass through; otherwise they are spooled to disk, never kept in memory. The RPC always begins with the file, so
 * that an unauthorised upload is refused before its bytes are read. A file above the limit is refused while it arrives.
 */
export async function receiveUpload(call: RestCall): Promise<Message> {
  const { request, response, maxFileBytes } = call
  if (!request.is('multipart/form-data')) throw new UnsupportedMediaTypeError('The body must be multipart/form-data')
  if (Number(request.headers['content-length']) > maxFileBytes + maxFormBytes) throw tooLarge(maxFileBytes)
  const uploadAbort = new AbortController()
  const form = watchForm(request)
  const formEnd = Promise.withResolvers<void>()
  let answer: Promise<Message> | undefined

  /** Begins the RPC when the file begins. Its errors reach the client through `formEnd`, at once. */
  const begin = (file: Express.Multer.File): void => {
    const fields = request.body as Fields
    const head = headOf(fields, file)
    const size = form.fileSize(Object.keys(fields).length)
    const isComplete = size !== undefined && [...formFields].every(name => Object.hasOwn(fields, name))
    const headAtEnd = () => formEnd.promise.then(() => headOf(fields, file))
    const bytes = limitBytes(maxFileBytes, file.stream)
    const messages = isComplete
      ? streamMessages({ ...head, size }, bytes, headAtEnd)
      : spooledMessages(bytes, headAtEnd, addressKey(request.ip))
    answer = sendUpload(call, messages, uploadAbort.signal)
    answer.catch((error: unknown) => {
      formEnd.reject(error)
      file.stream.resume()
    })
  }
  const engine: StorageEngine = {
    _handleFile(_request, file, callback) {
      file.stream.once('end', () => callback(null, {}))
      // After a refusal, or without its client, the file may wait for bytes that nobody reads.
      response.once('close', () => {
        request.unpipe().resume()
        file.stream.destroy()
      })
      try {
        begin(file)
      } catch (error) {
        formEnd.reject(error)
        file.stream.resume()
      }
    },
    _removeFile: (_request, _file, callback) => callback(null),
  }

  try {
    readForm(call, engine).then(formEnd.resolve, formEnd.reject)
    await formEnd.promise
    checkFields(request.body as Fields)
    if (!answer) throw invalid('file', 'is required', 'required')
    return await answer
  } catch (error) {
    uploadAbort.abort(error)
    // The pending upload is rolled back before the client gets its answer.
    await answer?.catch(() => undefined)
    throw toFormError(error)
  }
}

async function sendUpload(
  { route, transport, request, requestId }: RestCall,
  messages: AsyncIterable<Message>,
  signal: AbortSignal,
): Promise<Message> {
  const method = route.method as DescMethodClientStreaming
  const stream = withUploadErrors(messages)
  try {
    const answer = await transport.stream(method, signal, undefined, rpcHeaders(request, requestId), stream)
    for await (const message of answer.message) return message
    throw new Error(`${method.name} answered nothing`)
  } finally {
    // The transport of a service that died keeps what it has not read, and with it the temporary file.
    void stream.return(undefined).catch(() => undefined)
  }
}

/** The same messages. Their errors are answers for the client, not faults of the reader. */
async function* withUploadErrors(messages: AsyncIterable<Message>): AsyncGenerator<Message> {
  try {
    yield* messages
  } catch (error) {
    if (isStorageFull(error)) throw storageFull(error)
    throw error instanceof ConnectError ? error : uploadError(error)
  }
}

/** Head and bytes of a file as they arrive. It ends with the form, which may hold more than it should. */
async function* streamMessages(
  head: Head & { size: number },
  bytes: AsyncIterable<Buffer>,
  headAtEnd: () => Promise<Head>,
): AsyncGenerator<Message> {
  yield headMessage(head)
  for await (const chunk of bytes) yield chunkMessage(chunk)
  await headAtEnd()
}

/** Head and bytes of a file whose fields come after it. */
async function* spooledMessages(
  bytes: AsyncIterable<Buffer>,
  headAtEnd: () => Promise<Head>,
  holder: string,
): AsyncGenerator<Message> {
  const spool = await openSpool(holder)
  try {
    const size = await spool.fill(bytes)
    yield headMessage({ ...(await headAtEnd()), size })
    for await (const chunk of spool.bytes()) yield chunkMessage(chunk)
  } finally {
    await spool.close()
  }
}

/**
 * The chunks of a file. Throws at the first byte above `maxBytes`; the parser would report it only after the whole form.
 */
async function* limitBytes(maxBytes: number, bytes: Readable): AsyncGenerator<Buffer> {
  let size = 0
  for await (const chunk of bytes.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) throw tooLarge(maxBytes)
    yield chunk
  }
}

const headMessage = (value: Head & { size: number }) =>
  create(UploadMediaRequestSchema, { part: { case: 'head', value } })
const chunkMessage = (value: Buffer) => create(UploadMediaRequestSchema, { part: { case: 'chunk', value } })

/** Reads the form to its end. */
function readForm({ request, response }: RestCall, storage: StorageEngine): Promise<void> {
  // The name's bytes, undecoded and with its folders.
  const options = { storage, limits, fileHwm: bufferedBytes, preservePath: true, defParamCharset: 'latin1' }
  const parse = multer(options).single('file')
  return new Promise((resolve, reject) => {
    // The parser reads a refused form to its end before it calls back; errors of the RPC reach `formEnd` earlier.
    void parse(request, response, (error?: unknown) => (error ? reject(uploadError(error)) : resolve()))
  })
}

const storageFull = (cause: unknown) => new ServiceUnavailableError('The storage is full, try again later', { cause })
const tooLarge = (maxFileBytes: number) => new PayloadTooLargeError(`The file must not exceed ${maxFileBytes} bytes`)

function uploadError(error: unknown): Error {
  if (!(error instanceof MulterError)) return invalid('body', 'is not a valid multipart form', 'multipart')
  const field = error.code === 'LIMIT_FILE_COUNT' ? 'file' : error.field
  return invalid(field ?? 'body', error.message, 'multipart')
}

function checkFields(body: Fields): { folder?: string; ecosystemId?: string } {
  for (const [key, value] of Object.entries(body)) {
    if (key === 'file') throw invalid('file', 'must be a file with a name', 'multipart')
    if (!formFields.has(key)) throw invalid(key, 'is not a known field', 'unknown_field')
    if (typeof value !== 'string') throw invalid(key, 'must be given once', 'duplicate')
  }
  return body as { folder?: string; ecosystemId?: string }
}

function headOf(body: Fields, { originalname, mimetype }: File): Head {
  const { folder = '', ecosystemId = '' } = checkFields(body)
  const fileName = fileNameOf(decodeFileName(originalname))
  if (fileName.length > maxNameLength)
    throw invalid('file', `must have a name of at most ${maxNameLength} characters`, 'string.max_len')
  return { folder, ecosystemId, fileName, contentType: mimetype.slice(0, maxNameLength) }
}

/** The RPC's field head.folder is the client's folder. A full disk is a 503. */
function toFormError(error: unknown): unknown {
  if (isStorageFull(error)) return storageFull(error)
  // The upload broke off, on either side.
  if (isBroken(error)) return new ServiceUnavailableError('The upload was interrupted, try again', { cause: error })
  const { violations } = toRpcError(error).info
  if (violations.length === 0) return error
  const withFormPath = (one: Violation) => ({ ...one, path: one.path.replace(/^head\./, '') })
  return new ValidationError(violations.map(withFormPath))
}

/** Whether a transport error comes without an error of the service. */
const isBroken = (error: unknown): boolean =>
  error instanceof ConnectError && error.code === Code.Aborted && error.findDetails(ErrorInfoSchema).length === 0
