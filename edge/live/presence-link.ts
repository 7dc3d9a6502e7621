import { create, type MessageInitShape } from '@bufbuild/protobuf'
import {
  type PresenceEntry,
  PresenceJoinedFrameSchema,
  PresenceLeftFrameSchema,
  PresenceReportSchema,
} from '../../gen/platform/live/v1/presence_pb.ts'
import { newId } from '../../services/kernel/ids.ts'
import { toJson } from '../../services/kernel/json/encode.ts'
import { inRooms } from './audience.ts'
import { read } from './feed.ts'
import { frameOf } from './frames.ts'
import { deliver, type Hub } from './hub.ts'
import { createPresence, type Share } from './presence.ts'
import { presenceRoom } from './room-names.ts'

const subject = 'live.presence'
const perReport = 1_000
/** Changes are gathered for so long before they are told. */
const gatherMs = 20

/** Who is online, as the sockets of this process need to know it. */
export type PresenceLink = {
  /** Somebody's sockets, or what is to be said of them, changed. */
  changed(owner: string): void
  /** How many sockets somebody has on other processes that live. */
  elsewhere(owner: string): number
  /** Members who are online in a workspace. */
  list(workspaceId: string): string[]
  /** People with a socket anywhere. */
  people(): number
  stop(): void
}

type Report = Omit<MessageInitShape<typeof PresenceReportSchema>, '$typeName'>

/**
 * Keeps the edge processes told of each other's sockets: changes as they come, a sign of life in between, everything
 * when asked. A process that is not heard of any more is forgotten with its sockets.
 */
export function linkPresence(hub: Hub): PresenceLink {
  const { limits } = hub
  const { bus } = hub.host
  const self = newId()
  const presence = createPresence(limits.presenceGraceMs, (workspaceId, memberId, isOnline) =>
    show(hub, workspaceId, memberId, isOnline),
  )
  const heard = new Map<string, { number: number; at: number }>()
  const dirty = new Set<string>()
  let number = 0
  let gathering: NodeJS.Timeout | undefined
  let answering: NodeJS.Timeout | undefined

  const say = (report: Report): void => {
    const message = create(PresenceReportSchema, { edge: self, number: BigInt(number), ...report })
    bus.publishCore(subject, JSON.stringify(toJson(PresenceReportSchema, message)))
  }
  /** Tells of people in parts that fit into a message; the first of a complete report voids what was said before. */
  const tell = (owners: string[], complete: boolean): void => {
    for (let from = 0; from < owners.length || (complete && from === 0); from += perReport) {
      number++
      const entries = owners.slice(from, from + perReport).map(owner => entryOf(owner, shareOf(hub, owner)))
      say({ entries, complete: complete && from === 0 })
    }
  }
  const tellAll = (): void => {
    answering = undefined
    tell([...hub.owners.keys()], true)
  }
  const flush = (): void => {
    gathering = undefined
    const owners = [...dirty]
    dirty.clear()
    tell(owners, false)
  }

  const take = ({ edge, number: told, complete, entries, wanted, leaving }: ReturnType<typeof reportOf>): void => {
    if (edge === self) return
    // Several who ask at once get one answer.
    if (wanted === self || wanted === '*') answering ??= setTimeout(tellAll, gatherMs).unref()
    if (leaving) {
      heard.delete(edge)
      return presence.forget(edge)
    }
    const before = heard.get(edge)?.number
    const isNext = complete || told === before || (entries.length > 0 && told === (before ?? 0) + 1)
    heard.set(edge, { number: isNext ? told : (before ?? -1), at: Date.now() })
    if (!isNext) return say({ wanted: edge })
    if (complete) presence.forget(edge, new Set(entries.map(({ owner }) => owner)))
    for (const entry of entries) put(edge, entry)
  }
  /** A process that missed a sign of life may be dead, and its people are on their way here. */
  const othersOf = (owner: string): [string, Share][] => {
    const since = Date.now() - 1.5 * limits.presenceBeatMs
    return [...presence.sharesOf(owner)].filter(([edge]) => (heard.get(edge)?.at ?? 0) > since)
  }
  const elsewhere = (owner: string): number => othersOf(owner).reduce((sum, [, { sockets }]) => sum + sockets, 0)
  const put = (edge: string, { owner, newest, ...share }: PresenceEntry): void => {
    presence.put(edge, owner, { ...share, newest: Number(newest) / 1_000 })
    // Two processes may let in one socket too many at the same moment: the newest give way, wherever they are.
    const mine = [...(hub.owners.get(owner) ?? [])]
    const others = othersOf(owner)
    // Of two that opened in one millisecond one must count as the older on both sides.
    const isNewest = (openedAt: number): boolean =>
      others.every(([other, { newest: last }]) => openedAt > last || (openedAt === last && self > other))
    let surplus = mine.length + elsewhere(owner) - limits.socketsPerMember
    for (const connection of mine.toReversed())
      if (surplus-- > 0 && isNewest(connection.openedAt)) connection.close('tooMany')
  }

  const beat = setInterval(() => {
    // While the broker is away nobody is heard of, which says nothing about them.
    if (!bus.status().connected) return
    say({})
    const oldest = Date.now() - limits.presenceLostMs
    for (const [edge, { at }] of heard) {
      if (at > oldest) continue
      heard.delete(edge)
      presence.forget(edge)
    }
  }, limits.presenceBeatMs)
  beat.unref()

  const greet = (): void => {
    for (const known of heard.values()) known.at = Date.now()
    tellAll()
    say({ wanted: '*' })
  }
  const stops = [
    bus.subscribeCore(subject, bytes => {
      try {
        take(reportOf(bytes))
      } catch (error) {
        hub.log.error({ err: error, subject }, 'message of the bus not understood')
      }
    }),
    bus.onConnected(greet),
  ]
  if (bus.status().connected) greet()

  return {
    changed(owner) {
      presence.put(self, owner, shareOf(hub, owner))
      dirty.add(owner)
      gathering ??= setTimeout(flush, gatherMs).unref()
    },
    elsewhere,
    list: presence.list,
    people: () => presence.stats().people,
    stop() {
      clearTimeout(gathering)
      clearTimeout(answering)
      clearInterval(beat)
      for (const stop of stops) stop()
      say({ leaving: true })
      presence.stop()
    },
  }
}

/** Tells the room of a workspace's presence, without an offset: who joins gets the list, so nothing is caught up. */
function show(hub: Hub, workspaceId: string, memberId: string, isOnline: boolean): void {
  const desc = isOnline ? PresenceJoinedFrameSchema : PresenceLeftFrameSchema
  const { event } = frameOf(desc)
  const data = toJson(desc, create(desc, { workspaceId, memberId }))
  const text = JSON.stringify({ event, data }).slice(0, -1)
  deliver(hub, { audience: inRooms(presenceRoom(workspaceId)), event, text })
}

function reportOf(bytes: Uint8Array) {
  const report = read(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()))
  return { ...report, number: Number(report.number) }
}

const entryOf = (owner: string, { newest, ...share }: Share) => ({
  owner,
  ...share,
  newest: BigInt(Math.round(newest * 1_000)),
})

/** What this process has of somebody's sockets. */
function shareOf(hub: Hub, owner: string): Share {
  const sockets = [...(hub.owners.get(owner) ?? [])]
  const workspaceIds = sockets.at(-1)?.identity?.workspaceIds ?? []
  const visible = sockets.some(({ hidden, identity }) => !hidden && !identity?.isInvisible)
  return { workspaceIds: [...workspaceIds], sockets: sockets.length, visible, newest: sockets.at(-1)?.openedAt ?? 0 }
}
