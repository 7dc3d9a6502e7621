import { EventEmitter, once } from 'node:events'

export const providers = [
  'email',
  'onesignal',
  'fcm',
  'webpush',
  'chat',
  'payment',
  'weather',
  'storage',
  'errors',
] as const
export type ProviderName = (typeof providers)[number]

type RecordedRequest = { receivedAt: string; provider: ProviderName; method: string; path: string; body: unknown }

export type SentMail = {
  id: string
  receivedAt: string
  via: 'http' | 'smtp'
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
}

export type Push = {
  id: string
  receivedAt: string
  provider: 'onesignal' | 'fcm' | 'webpush'
  to: string[]
  title: string
  body: string
  data: unknown
}

/** A list that evicts its oldest entries above a number of entries or characters. */
type BoundedList<T> = { items: T[]; add: (item: T) => void; clear: (keep?: (item: T) => boolean) => void }

function createRing<T>(maxItems: number, maxChars: number, onChange: () => void): BoundedList<T> {
  const items: T[] = []
  const sizes: number[] = []
  let chars = 0
  return {
    items,
    add(item) {
      const size = JSON.stringify(item).length
      items.push(item)
      sizes.push(size)
      chars += size
      while (items.length > maxItems || (chars > maxChars && items.length > 1)) {
        items.shift()
        chars -= sizes.shift() ?? 0
      }
      onChange()
    },
    clear(keep = () => false) {
      const remainingItems = items.map((item, i) => [item, sizes[i] ?? 0] as const).filter(([item]) => keep(item))
      items.splice(0, items.length, ...remainingItems.map(([item]) => item))
      sizes.splice(0, sizes.length, ...remainingItems.map(([, size]) => size))
      chars = sizes.reduce((sum, size) => sum + size, 0)
      onChange()
    },
  }
}

export type SandboxState = ReturnType<typeof createState>

/** State shared by all providers: recorded requests, mails and pushes. Each provider keeps its own objects. */
export function createState() {
  const news = new EventEmitter().setMaxListeners(0)
  const notifyChange = () => void news.emit('changed')
  return {
    news,
    changed: notifyChange,
    requests: createRing<RecordedRequest>(10_000, 64_000_000, notifyChange),
    mails: createRing<SentMail>(10_000, 64_000_000, notifyChange),
    pushes: createRing<Push>(10_000, 64_000_000, notifyChange),
  }
}

/** Waits until `count` entries exist or the time is up, and returns what there is. */
export async function waitForEntries<T>(
  state: SandboxState,
  find: () => T[],
  count: number,
  waitMs: number,
): Promise<T[]> {
  const signal = AbortSignal.timeout(waitMs)
  let entries = find()
  while (entries.length < count && !signal.aborted) {
    await once(state.news, 'changed', { signal }).catch(() => undefined)
    entries = find()
  }
  return entries
}
