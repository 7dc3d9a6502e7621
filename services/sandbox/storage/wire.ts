import type { Request, Response } from 'express'
import { errorXml } from '../provider-errors.ts'
import { plain } from '../wire.ts'

export function fail(res: Response, status: number, code: string, message: string): void {
  res.status(status).type('application/xml').send(errorXml(code, message))
}

export function sendXml(res: Response, root: string, content: string): void {
  const head = '<?xml version="1.0" encoding="UTF-8"?>'
  res
    .type('application/xml')
    .send(`${head}<${root} xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${content}</${root}>`)
}

export const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A query parameter; empty when absent. */
export const text = (req: Request, name: string): string => plain(req.query[name]).slice(0, 1024)

/** The bytes of a PUT, decoded if aws-chunked; undefined when the coding is broken. */
export function bytesOf(req: Request): Buffer | undefined {
  const raw = Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0)
  return plain(req.headers['x-amz-content-sha256']).startsWith('STREAMING-') ? unchunk(raw) : raw
}

// `<hex size>;chunk-signature=…\r
// <bytes>\r
// ` until size 0; trailers are ignored.
function unchunk(raw: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let offset = 0
  while (offset < raw.length) {
    const end = raw.indexOf('\r\n', offset)
    const size = /^([0-9a-f]{1,8})(;|$)/i.exec(end < 0 ? '' : raw.toString('latin1', offset, end))?.[1]
    if (size === undefined) return undefined
    const length = Number.parseInt(size, 16)
    if (length === 0) return Buffer.concat(parts)
    if (end + 2 + length > raw.length) return undefined
    parts.push(raw.subarray(end + 2, end + 2 + length))
    offset = end + 4 + length
  }
  return undefined
}
