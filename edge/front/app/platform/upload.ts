import type { MediaFile } from '../../../../gen/client/media.ts'
import { answerOf } from '../../../client/browser-session.ts'
import { serviceAddress } from './place.ts'
import { platform } from './session.ts'

type UploadOptions = {
  /** Owner of the file: the ecosystem of the shown workspace. */
  ecosystemId: string
  /** Folder, such as pages. */
  folder: string
  signal: AbortSignal
  /** Called with the share that was sent, 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Stores a file over POST /media/upload. Goes through XMLHttpRequest, because fetch doesn't report the progress.
 * @throws PlatformError for a refusal, TypeError without a connection, AbortError
 */
export async function uploadFile(file: File, options: UploadOptions): Promise<MediaFile> {
  const key = crypto.randomUUID()
  const response = await send(file, key, options, await platform.accessToken())
  const lastResponse =
    response.status === 401 ? await send(file, key, options, await platform.accessToken(true)) : response
  return (await answerOf<MediaFile>(lastResponse)) as MediaFile
}

function send(
  file: File,
  key: string,
  { ecosystemId, folder, signal, onProgress }: UploadOptions,
  token: string | undefined,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    // Cancelled while the token was renewed.
    signal.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open('POST', `${serviceAddress('media')}/media/upload`)
    request.setRequestHeader('idempotency-key', key)
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0))
    request.addEventListener('load', () => {
      const headers = new Headers()
      for (const name of ['x-request-id', 'retry-after']) {
        const value = request.getResponseHeader(name)
        if (value !== null) headers.set(name, value)
      }
      resolve(new Response(request.responseText, { status: request.status, headers }))
    })
    request.addEventListener('error', () => reject(new TypeError('no connection')))
    request.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    // Fields before the file, so that its owner is known before its bytes.
    const form = new FormData()
    form.append('ecosystemId', ecosystemId)
    form.append('folder', folder)
    form.append('file', file)
    request.send(form)
  })
}
