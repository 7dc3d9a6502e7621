import type { JsonObject } from '@bufbuild/protobuf'

/** The column by which the notifications of something are found. */
type EntityColumn = 'entity_id' | 'page_id' | 'named_member_id'

/** Notifications of the entity whose id the column holds; only these kinds, if any are named. */
export type RemovalTarget = { column: EntityColumn; id: string; kinds?: readonly string[] }

/** What an event does to earlier notifications. */
export type Effect =
  /** Deletes unread entries, clears the texts of read ones, and drops waiting pushes, mails and digest items. */
  | { kind: 'withdraw'; target: RemovalTarget }
  /** Shows these values in rows and in waiting pushes, mails and digests. */
  | { kind: 'rewrite'; target: RemovalTarget; values: JsonObject }

/** The part of an event that decides its effect. */
export type EffectCause = { key: string; payload: JsonObject }
type EffectOf = (event: EffectCause) => Effect | undefined

const withdrawEffect =
  (column: EntityColumn, field: string, kinds?: readonly string[]): EffectOf =>
  ({ payload }) => {
    const id = payload[field]
    return typeof id === 'string' ? { kind: 'withdraw', target: { column, id, ...(kinds && { kinds }) } } : undefined
  }

const rewriteEffect =
  (column: EntityColumn, names: readonly string[]): EffectOf =>
  ({ payload }) => {
    const { id, changes } = payload
    const newFields = typeof changes === 'object' && changes !== null ? (changes as JsonObject) : payload
    const values = Object.fromEntries(Object.entries(newFields).filter(([name]) => names.includes(name)))
    return typeof id === 'string' && Object.keys(values).length > 0
      ? { kind: 'rewrite', target: { column, id }, values }
      : undefined
  }

/** Whether a change hides the page from its readers. */
const hidesPage = ({ key, payload }: EffectCause): boolean =>
  key === 'page.updated' && ['draft', 'archived'].includes(String(Object(payload['changes']).status))

const arrivals = ['member.registered', 'workspace.member_joined']
const ofPerson = withdrawEffect('named_member_id', 'memberId', [...arrivals, 'member.updated'])
const ofPage = withdrawEffect('page_id', 'id')
const changesPage = rewriteEffect('page_id', ['title', 'excerpt'])
const ofEntity = withdrawEffect('entity_id', 'id')
/** An account has no notifications; those of its member are withdrawn by the member's own events. */
const noEffect: EffectOf = () => undefined

/**
 * The effects of events on earlier notifications about something (docs/removals.md); those for a person are hidden by
 * their present rights. An event that deletes something and is missing here fails removals.test.ts.
 */
export const effects: Readonly<Record<string, EffectOf>> = {
  'page.updated': event => (hidesPage(event) ? ofPage(event) : changesPage(event)),
  'page.released': withdrawEffect('page_id', 'id', ['page.reminded', 'page.due']),
  'page.deleted': ofPage,
  'comment.updated': rewriteEffect('entity_id', ['content']),
  'comment.deleted': ofEntity,
  'like.deleted': ofEntity,
  'member.invitation_cancelled': ofEntity,
  // The link of an earlier mail leads nowhere.
  'member.onboarding': withdrawEffect('entity_id', 'id', ['member.onboarding']),
  'workspace.member_left': withdrawEffect('named_member_id', 'memberId', arrivals),
  'member.deleted': ofPerson,
  'member.erased': ofPerson,
  'hotel.deleted': ofEntity,
  'user.deleted': noEffect,
  'authentication.user_deleted': noEffect,
  'authentication.ecosystem_deleted': noEffect,
}

export const effectOf = (event: EffectCause): Effect | undefined => effects[event.key]?.(event)

/** Whether an event ends what it is about, so that earlier events that arrive later notify nobody. */
export const isEnd = (event: EffectCause): boolean => {
  const effect = effectOf(event)
  return effect?.kind === 'withdraw' && effect.target.kinds === undefined
}
