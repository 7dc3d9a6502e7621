import { create } from '@bufbuild/protobuf'
import {
  type PresenceEntry,
  PresenceJoinedFrameSchema,
  PresenceLeftFrameSchema,
} from '../../../gen/platform/live/v1/presence_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { inRooms } from '../audience.ts'
import { frameOf } from '../frames.ts'
import { deliver, type Hub, type PresenceLink } from '../hub.ts'
import { presenceRoom } from '../room-names.ts'
import { createPresence, type Share } from './presence.ts'
import { createReporter, presenceSubject, reportOf, shareOf } from './presence-reports.ts'

/**
 * The last numbered report understood of a process, and when its last report arrived. While the parts of a complete
 * report arrive: the people named so far.
 */
type LastReport = { number: number; at: number; named?: Set<string> | undefined }

/**
 * Exchanges sockets with the other edge processes: changes as they happen, a heartbeat in between, everything on
 * request. A process without a heartbeat is dropped with its sockets.
 */
export function linkPresence(hub: Hub): PresenceLink {
  const { limits } = hub
  const { bus } = hub.host
  const self = newId()
  const presence = createPresence(limits.presenceGraceMs, (workspaceId, memberId, isOnline) =>
    show(hub, workspaceId, memberId, isOnline),
  )
  const reporter = createReporter(hub, self)
  const lastReports = new Map<string, LastReport>()

  const dropProcess = (edge: string): void => {
    lastReports.delete(edge)
    presence.dropProcess(edge)
  }
  const take = (report: ReturnType<typeof reportOf>): void => {
    const { edge, number, complete, more, entries, wanted, leaving } = report
    if (edge === self) return
    if (wanted === self) reporter.answer()
    if (wanted === '*') reporter.beatSoon()
    if (leaving) return dropProcess(edge)
    const last = lastReports.get(edge) ?? { number: 0, at: 0 }
    const isNext = complete || number === last.number || (entries.length > 0 && number === last.number + 1)
    const named = complete ? new Set<string>() : last.named
    lastReports.set(edge, { number: isNext ? number : last.number, at: Date.now(), named })
    if (!isNext) return reporter.ask(edge)
    for (const entry of entries) put(edge, entry)
    const isBeat = !complete && entries.length === 0
    if (isBeat || !named) return
    for (const { owner } of entries) named.add(owner)
    if (more) return
    lastReports.set(edge, { number, at: Date.now() })
    presence.dropProcess(edge, named)
  }
  const put = (edge: string, { owner, newest, ...share }: PresenceEntry): void => {
    presence.put(edge, owner, { ...share, newest: Number(newest) / 1_000 })
    closeSurplus(owner)
  }

  /** A process that missed a heartbeat may be dead, and its people are reconnecting here. */
  const othersOf = (owner: string): [string, Share][] => {
    const since = Date.now() - 1.5 * limits.presenceBeatMs
    return [...presence.sharesOf(owner)].filter(([edge]) => (lastReports.get(edge)?.at ?? 0) > since)
  }
  const elsewhere = (owner: string): number => othersOf(owner).reduce((sum, [, { sockets }]) => sum + sockets, 0)
  /**
   * Two processes may both admit one socket too many at the same moment: the newest sockets are closed, wherever they
   * are.
   */
  const closeSurplus = (owner: string): void => {
    const mine = [...(hub.owners.get(owner) ?? [])]
    const others = othersOf(owner)
    // Both sides must agree on the older one of two sockets opened in the same millisecond.
    const isNewest = (openedAt: number): boolean =>
      others.every(([other, { newest: last }]) => openedAt > last || (openedAt === last && self > other))
    let surplus = mine.length + elsewhere(owner) - limits.socketsPerMember
    for (const connection of mine.toReversed())
      if (surplus-- > 0 && isNewest(connection.openedAt)) connection.close('tooMany')
  }

  const beat = setInterval(() => {
    // While disconnected, no heartbeats arrive, which says nothing about the processes.
    if (!bus.status().connected) return
    reporter.beat()
    const oldest = Date.now() - limits.presenceLostMs
    for (const [edge, { at }] of lastReports) if (at <= oldest) dropProcess(edge)
  }, limits.presenceBeatMs)
  beat.unref()

  const greet = (): void => {
    for (const known of lastReports.values()) known.at = Date.now()
    reporter.ask('*')
  }
  const stops = [bus.subscribeCore(presenceSubject, bytes => take(reportOf(bytes))), bus.onConnected(greet)]
  if (bus.status().connected) greet()

  return {
    changed(owner) {
      presence.put(self, owner, shareOf(hub, owner))
      reporter.changed(owner)
    },
    elsewhere,
    list: presence.list,
    people: () => presence.stats().people,
    stop() {
      clearInterval(beat)
      for (const stop of stops) stop()
      reporter.stop()
      presence.stop()
    },
  }
}

/** Notifies the presence room of a workspace. Without an offset: a join returns the list, so nothing is recovered. */
function show(hub: Hub, workspaceId: string, memberId: string, isOnline: boolean): void {
  const desc = isOnline ? PresenceJoinedFrameSchema : PresenceLeftFrameSchema
  const { event } = frameOf(desc)
  const data = toJson(desc, create(desc, { workspaceId, memberId }))
  const text = JSON.stringify({ event, data })
  deliver(hub, { audience: inRooms(presenceRoom(workspaceId)), event, text })
}
