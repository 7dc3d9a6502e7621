import type { Readable } from 'node:stream'

/** A part of a file: its first and its last byte. */
export type ByteRange = { start: number; end: number }

/** Where the bytes are: a folder (disk.ts) or a bucket (s3.ts). Files go by their id, thumbnails by `<id>.<size>`. */
export type ObjectStore = {
  /** Begins a file that nobody can read before it is published. */
  begin(id: string): Promise<Draft>
  /** Stores something small whole. */
  put(name: string, bytes: Uint8Array): Promise<void>
  /** Opens what is published, whole or in part; undefined when it is not there. */
  read(name: string, range?: ByteRange): Promise<Readable | undefined>
  /** Removes what is published. What is not there is no error. */
  remove(names: string[]): Promise<void>
  /** Removes what an upload that was not published has left. */
  discard(id: string): Promise<void>
  /** Ids of drafts that were begun or last written to before a moment, some at a time. */
  drafts(before: Date): Promise<string[]>
  /** Throws while nothing can be stored. */
  ready(): Promise<void>
  /** Ends the connections there are. */
  close(): void
}

export type Draft = {
  /** Takes bytes no faster than they are stored. */
  write(bytes: Uint8Array): Promise<void>
  /** Makes the file readable under its id; it survives a power cut from here on. */
  publish(): Promise<void>
  /** Ends it. Without publish before, bytes may stay behind for `discard`. */
  close(): Promise<void>
}
