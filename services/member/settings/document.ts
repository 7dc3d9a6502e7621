import type { JsonObject } from '@bufbuild/protobuf'

/**
 * A document of settings as stored: only what was chosen, and when. Settings and preferences
 * share a row, so each document keeps its own times.
 */
export type Document = { values: JsonObject; createdAt: Date | undefined; updatedAt: Date | undefined }

/** Reads a stored document; empty for one that was never written. */
export function readDocument(text: string | undefined): Document {
  const { createdAt, updatedAt, ...values } = JSON.parse(text ?? '{}') as JsonObject
  return { values, createdAt: dateOf(createdAt), updatedAt: dateOf(updatedAt) }
}

const dateOf = (value: unknown): Date | undefined => (typeof value === 'string' ? new Date(value) : undefined)

/** The document after a change; undefined values go back to their default. */
export function changeDocument(before: Document, changes: Record<string, unknown>, now = new Date()): string {
  const values = { ...before.values, ...changes }
  return JSON.stringify({ ...values, createdAt: before.createdAt ?? now, updatedAt: now })
}
