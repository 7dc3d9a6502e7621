import { createHash } from 'node:crypto'

/** An object; a multipart upload stays in parts. */
export type Stored = { parts: Buffer[]; size: number; type: string; etag: string; at: Date }

/** An incomplete multipart upload. */
export type Multipart = { path: string; type: string; parts: Map<number, Part>; at: Date }
export type Part = { bytes: Buffer; etag: string }

/** Objects of all buckets by `bucket/key`, and multipart uploads by id. */
export type ObjectStore = { objects: Map<string, Stored>; uploads: Map<string, Multipart>; bytes: number }

export const createObjectStore = (): ObjectStore => ({ objects: new Map(), uploads: new Map(), bytes: 0 })

const maxTotal = 512_000_000

export const md5 = (...parts: (Buffer | string)[]): string => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Whether `more` bytes fit when `gone` bytes are replaced. */
export const hasRoom = (store: ObjectStore, more: number, gone = 0): boolean => store.bytes - gone + more <= maxTotal

/** Stores an object, replacing any previous one. */
export function putObject(store: ObjectStore, path: string, stored: Stored): void {
  removeObject(store, path)
  store.objects.set(path, stored)
  store.bytes += stored.size
}

export function removeObject(store: ObjectStore, path: string): void {
  store.bytes -= store.objects.get(path)?.size ?? 0
  store.objects.delete(path)
}

/** Drops a multipart upload. */
export function dropUpload(store: ObjectStore, id: string): void {
  for (const { bytes } of store.uploads.get(id)?.parts.values() ?? []) store.bytes -= bytes.length
  store.uploads.delete(id)
}

/** A range of an object's bytes, both ends inclusive. */
export function* slices(parts: Buffer[], start: number, end: number): Generator<Buffer> {
  let at = 0
  for (const part of parts) {
    if (at + part.length > start && at <= end) yield part.subarray(Math.max(0, start - at), end + 1 - at)
    at += part.length
  }
}
