import type { Language } from '../../kernel/base/language.ts'
import { framesSubject, workspaceRoom } from '../../kernel/base/live.ts'
import type { Bus } from '../../kernel/bus/bus.ts'

const roomsPerFrame = 5_000
/** The broker takes 1 MiB; above this size a notification is announced without its data. */
const maxData = 500_000

type Frame = { rooms: readonly string[]; event: string; data: Record<string, unknown>; id?: string; version?: number }

/**
 * Publishes a frame to the edge processes, now or once reconnected. Queued for minutes only, since the inbox has
 * everything.
 */
export function publishFrame(bus: Bus, { rooms, event, data, id = '', version = 0 }: Frame): void {
  for (let from = 0; from < rooms.length; from += roomsPerFrame) {
    const frame = { rooms: rooms.slice(from, from + roomsPerFrame), event, data, id, version }
    publishOrQueue(bus, framesSubject, JSON.stringify(frame))
  }
}

/** Content of notification:new, in both languages. */
type Announcement = {
  id: string
  workspaceId: string
  type: string
  category: string
  texts: Readonly<Record<Language, { title: string; body: string }>>
  data: unknown
  createdAt: Date
}

/**
 * Announces a notification to its receivers' rooms, and changed counts to the workspace. One frame per language serves
 * all. Repeating it is harmless: the edge drops a frame whose id a room has already received.
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

/** Limits of the queue per broker connection; the age is how long sockets can catch up, in ms. */
const queueLimits = { frames: 1_000, characters: 8 * 1_024 * 1_024, ms: 300_000 }

type QueuedFrame = { queuedAt: number; text: string }

const queues = new WeakMap<Pick<Bus, 'store' | 'onConnected'>, QueuedFrame[]>()

/**
 * Publishes; while disconnected, queues until reconnected. Drops what is over five minutes old by then, and all but the
 * latest 1,000 frames or 8 MiB: the inbox has everything. If this process dies, the next one republishes an event's
 * frames, because the event is acknowledged after them (kernel/bus/pull.ts).
 */
export function publishOrQueue(
  bus: Pick<Bus, 'store' | 'onConnected'>,
  subject: string,
  text: string,
  now = Date.now,
): void {
  const waitingQueue = queues.get(bus)
  // Queued messages go first, to keep the order.
  if ((!waitingQueue || waitingQueue.length === 0) && bus.store(subject, text)) return
  const queue = waitingQueue ?? []
  queue.push({ queuedAt: now(), text })
  let characters = queue.reduce((sum, one) => sum + one.text.length, 0)
  while (queue.length > queueLimits.frames || characters > queueLimits.characters)
    characters -= queue.shift()?.text.length ?? 0
  if (waitingQueue) return
  queues.set(bus, queue)
  bus.onConnected(() => {
    const oldestKept = now() - queueLimits.ms
    for (let first = queue[0]; first; first = queue[0]) {
      if (first.queuedAt >= oldestKept && !bus.store(subject, first.text)) return
      queue.shift()
    }
  })
}
