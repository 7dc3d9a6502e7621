import type { Request, Response } from 'express'
import { errorXml } from '../provider-errors.ts'
import { toText } from '../request-values.ts'

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
export const text = (req: Request, name: string): string => toText(req.query[name]).slice(0, 1024)

export const bytesOf = (req: Request): Buffer => (Buffer.isBuffer(req.body) ? req.body : Buffer.alloc(0))
