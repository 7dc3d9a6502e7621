import type { Readable } from 'node:stream'

/** First and last byte of a part of a file, both inclusive. */
export type ByteRange = { start: number; end: number }

/** Storage for bytes: a folder (disk.ts) or a bucket (s3.ts). Files are named by id, thumbnails `<id>.<size>`. */
export type ObjectStore = {
  /** Begins a file that stays unreadable until published. */
  begin(id: string): Promise<ObjectDraft>
  /** Stores a small object in one call. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Opens a published object, whole or in part; undefined when it doesn't exist. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes published objects; missing ones are no error. */
  remove(names: string[]): Promise<void>
  /** Removes what an unpublished upload has left. */
  discard(id: string): Promise<void>
  /** Some ids of drafts that were begun or last written before a given time. */
  drafts(before: Date): Promise<string[]>
  /** Throws while nothing can be stored. */
  ready(): Promise<void>
  close(): void
}

export type ObjectDraft = {
  /** Resolves no faster than the bytes are stored. */
  write(bytes: Uint8Array): Promise<void>
  /** Makes the file readable under its id, and durable across a power cut. */
  publish(): Promise<void>
  /** Ends the draft. If unpublished, bytes may remain for `discard`. */
  close(): Promise<void>
}
