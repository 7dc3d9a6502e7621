import type { Bus } from '../../kernel/bus/bus.ts'
import type { Language } from '../tables.ts'

/** Bus subject of frames on their way to the sockets of every edge process (live/v1, RoomFrame). */
const framesSubject = 'live.frames'
const roomsPerFrame = 5_000
/** The broker takes 1 MiB; a notification must be heard of even when its data is not. */
const maxData = 500_000

export const memberRoom = (memberId: string): string => `member:${memberId}`
const workspaceRoom = (workspaceId: string): string => `workspace:${workspaceId}`

type Frame = { rooms: readonly string[]; event: string; data: Record<string, unknown>; id?: string; version?: number }

/** Hands a frame to whoever holds sockets, now or when the broker is back. It is kept for minutes only: the inbox is what lasts. */
export function publishFrame(bus: Bus, { rooms, event, data, id = '', version = 0 }: Frame): void {
  for (let from = 0; from < rooms.length; from += roomsPerFrame) {
    const frame = { rooms: rooms.slice(from, from + roomsPerFrame), event, data, id, version }
    sayOrKeep(bus, framesSubject, JSON.stringify(frame))
  }
}

/** What notification:new says, in both languages. */
export type Announcement = {
  id: string
  workspaceId: string
  type: string
  category: string
  texts: Readonly<Record<Language, { title: string; body: string }>>
  data: unknown
  createdAt: Date
}

/**
 * Tells the rooms of its receivers of a notification and the workspace that counts have changed (document 3, dispatch to socket). One
 * frame per language serves them all. Repeating it is heard once: the frame is named by the notification.
 */
export function announce(bus: Bus, news: Announcement, rooms: Readonly<Record<Language, readonly string[]>>): void {
  const { id, type, category, texts, workspaceId, createdAt } = news
  const data = (JSON.stringify(news.data ?? null)?.length ?? 0) > maxData ? null : news.data
  for (const language of ['fr', 'en'] as const) {
    const { title, body } = texts[language]
    const frame = { id, type, category, title, body, data, createdAt: createdAt.toISOString() }
    publishFrame(bus, { rooms: rooms[language], event: 'notification:new', data: frame, id })
  }
  if (rooms.fr.length + rooms.en.length === 0 || workspaceId === '') return
  publishFrame(bus, { rooms: [workspaceRoom(workspaceId)], event: 'notification:count', data: { workspaceId } })
}

/** What is kept for each connection to the broker while it is away: the latest, for as long as sockets can catch up. */
const most = { frames: 1_000, characters: 8 * 1_024 * 1_024, ms: 300_000 }

type Kept = { at: number; text: string }

const held = new WeakMap<Pick<Bus, 'publishCore' | 'onConnected'>, Kept[]>()

/**
 * Says something on a subject; without a broker once there is one again. What is older than five minutes by then, or more
 * than the latest 1,000 or 8 MiB, is lost: the inbox is what lasts. What an event made and is lost with the process is said
 * by the next one, since the event is acknowledged behind it (kernel/bus/pull.ts).
 */
export function sayOrKeep(
  bus: Pick<Bus, 'publishCore' | 'onConnected'>,
  subject: string,
  text: string,
  now = Date.now,
): void {
  const waiting = held.get(bus)
  // What waits goes first, so that nothing overtakes it.
  if ((!waiting || waiting.length === 0) && bus.publishCore(subject, text)) return
  const kept = waiting ?? []
  kept.push({ at: now(), text })
  let characters = kept.reduce((sum, one) => sum + one.text.length, 0)
  while (kept.length > most.frames || characters > most.characters) characters -= kept.shift()?.text.length ?? 0
  if (waiting) return
  held.set(bus, kept)
  bus.onConnected(() => {
    const since = now() - most.ms
    for (let first = kept[0]; first; first = kept[0]) {
      if (first.at >= since && !bus.publishCore(subject, first.text)) return
      kept.shift()
    }
  })
}
