export type Action = 'kill' | 'replace' | 'cut'
export const actions: readonly Action[] = ['kill', 'replace', 'cut']

/** Parts of one kind fail in the same way. */
export type Kind = 'edge' | 'service' | 'broker' | 'database in use' | 'another database'

/** A part of the platform that the trial disturbs. Each action resolves when the part is whole again. */
export type Part = { name: string; kind: Kind } & Record<Action, () => Promise<void>>

/** How long a killed process is absent, and how long a part is cut off, in ms. */
export const absentMs = 2_000
export const cutMs = 8_000

/**
 * The statuses that docs/guides/scale.md tells clients to expect, 0 for a broken connection. Everything else is a
 * fault.
 */
export const expected: Record<Kind, Record<Action, readonly number[]>> = {
  edge: { kill: [0, 502], replace: [], cut: [0, 502, 503, 504] },
  service: { kill: [503], replace: [], cut: [503] },
  broker: { kill: [], replace: [], cut: [] },
  'database in use': { kill: [503], replace: [503], cut: [503] },
  'another database': { kill: [], replace: [], cut: [] },
}
