import { createHash } from 'node:crypto'

/** An object; a multipart upload stays in parts. */
export type StoredObject = { parts: Buffer[]; size: number; type: string; etag: string; modifiedAt: Date }

/** An incomplete multipart upload. */
export type Multipart = { path: string; type: string; parts: Map<number, UploadPart>; startedAt: Date }
type UploadPart = { bytes: Buffer; etag: string }

/** Objects of all buckets by `bucket/key`, and multipart uploads by id. */
export type BucketStore = { objects: Map<string, StoredObject>; uploads: Map<string, Multipart>; bytes: number }

export const createObjectStore = (): BucketStore => ({ objects: new Map(), uploads: new Map(), bytes: 0 })

const maxTotal = 512_000_000

export const md5 = (...parts: (Buffer | string)[]): string => {
  const hash = createHash('md5')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** Whether `more` bytes fit when `gone` bytes are replaced. */
export const hasRoom = (store: BucketStore, newBytes: number, freedBytes = 0): boolean =>
  store.bytes - freedBytes + newBytes <= maxTotal

/** Stores an object, replacing any previous one. */
export function putObject(store: BucketStore, path: string, object: StoredObject): void {
  removeObject(store, path)
  store.objects.set(path, object)
  store.bytes += object.size
}

export function removeObject(store: BucketStore, path: string): void {
  store.bytes -= store.objects.get(path)?.size ?? 0
  store.objects.delete(path)
}

/** Drops a multipart upload. */
export function dropUpload(store: BucketStore, id: string): void {
  for (const { bytes } of store.uploads.get(id)?.parts.values() ?? []) store.bytes -= bytes.length
  store.uploads.delete(id)
}

/** A range of an object's bytes, both ends inclusive. */
export function* slices(parts: Buffer[], start: number, end: number): Generator<Buffer> {
  let offset = 0
  for (const part of parts) {
    if (offset + part.length > start && offset <= end)
      yield part.subarray(Math.max(0, start - offset), end + 1 - offset)
    offset += part.length
  }
}
