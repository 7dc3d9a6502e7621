import type { IncomingMessage } from 'node:http'

/** Maximum of bytes kept of a form before its file. For longer ones the size is unknown. */
const maxBefore = 256 * 1024

/**
 * Reads the beginning of a multipart form, so that the file's size is known when the file begins: the rest of
 * Content-Length if the file is the last part, as in every regular form. The parser passes on the bytes alone.
 */
export function watchForm(request: IncomingMessage): { fileSize(partsBefore: number): number | undefined } {
  const chunks: Buffer[] = []
  let keptBytes = 0
  const keepChunk = (chunk: Buffer): void => {
    chunks.push(chunk)
    keptBytes += chunk.length
    if (keptBytes > maxBefore) stop()
  }
  const stop = () => request.off('data', keepChunk)
  request.on('data', keepChunk).once('close', stop)
  return {
    /** @param partsBefore parts before the file */
    fileSize(partsBefore) {
      stop()
      const total = Number(request.headers['content-length'])
      if (!Number.isSafeInteger(total)) return undefined
      const size = sizeIn(Buffer.concat(chunks), request.headers['content-type'] ?? '', partsBefore, total)
      chunks.length = 0
      return size
    },
  }
}

function sizeIn(beginning: Buffer, contentType: string, partsBefore: number, total: number): number | undefined {
  const boundary = /;\s*boundary=(?:"([^"]+)"|([^\s;]+))/i.exec(contentType)
  const delimiter = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`
  let delimiterIndex = -1
  for (let part = 0; part <= partsBefore; part++) {
    delimiterIndex = beginning.indexOf(delimiter, delimiterIndex + 1)
    if (delimiterIndex < 0) return undefined
  }
  const headers = beginning.indexOf('\r\n\r\n', delimiterIndex)
  if (headers < 0) return undefined
  // After the file: a line break, the delimiter with two dashes, and the line break that all known clients write.
  const size = total - (headers + 4) - (2 + delimiter.length + 2 + 2)
  return size >= 0 ? size : undefined
}
