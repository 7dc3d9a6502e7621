import type { Response } from 'express'

export type ChatApplication = {
  app_id: string
  app_name: string
  api_token: string
  region: { region_key: string; region_name: string }
  created_at: string
  is_active: boolean
  users: Record<string, { nickname: string; atMs: number }>
  channels: Record<string, { name: string; members: string[]; atMs: number }>
  messages: { atMs: number; user: string }[]
  /** Times of user deletions. */
  deleted: number[]
}

export type ChatStore = Map<string, ChatApplication>

/** The chat provider's error body: always {error, code, message}. */
export function chatError(res: Response, status: number, code: number, message: string) {
  res.status(status).json({ error: true, code, message })
}

/** Whether the organisation has an application of that name; names are unique regardless of case. */
export const nameTaken = (store: ChatStore, name: string, but?: string): boolean =>
  [...store.values()].some(
    application => application.app_id !== but && application.app_name.toLowerCase() === name.toLowerCase(),
  )

/** Number of users who have sent messages since a given time. */
export const sendersSince = ({ messages }: ChatApplication, from: number): number =>
  new Set(messages.filter(message => message.atMs >= from).map(message => message.user)).size

const metrics: Record<string, (application: ChatApplication) => { atMs: number }[]> = {
  messages: ({ messages }) => messages,
  // For a deleted user only the deletion time is known.
  created_users: app => [...Object.values(app.users), ...deletions(app)],
  deleted_users: app => deletions(app),
  created_channels: app => Object.values(app.channels),
}
const deletions = ({ deleted }: ChatApplication) => deleted.map(atMs => ({ atMs }))

/**
 * A metric by day, oldest first; empty days are left out.
 * @returns undefined for an unknown metric
 */
export function metric(application: ChatApplication, name: string, [from, to]: [string, string]) {
  const momentsOf = Object.hasOwn(metrics, name) ? metrics[name] : undefined
  if (!momentsOf) return undefined
  const dates = momentsOf(application).map(({ atMs }) => new Date(atMs).toISOString().slice(0, 10))
  const days = Map.groupBy(dates.filter(date => date >= from && date <= to).toSorted(), date => date)
  return [...days].map(([date, all]) => ({ date, value: all.length }))
}
