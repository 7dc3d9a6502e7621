import { create } from '@bufbuild/protobuf'
import { PresenceJoinedFrameSchema, PresenceLeftFrameSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { newId } from '../../../services/kernel/base/ids.ts'
import { presenceRoom, presenceSubject } from '../../../services/kernel/base/live.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { inRooms } from '../audience.ts'
import { frameOf } from '../frames.ts'
import { deliver, type Hub, type PresenceLink } from '../hub.ts'
import { createPresence, type ProcessReport } from './presence.ts'
import { createReporter, reportOf, reportOfEntry, reportOfPerson } from './presence-reports.ts'

/**
 * The number of the last report applied from a process, and when its last report arrived. While the parts of a complete
 * report arrive, also the people named so far.
 */
type LastReport = { number: number; arrivedAt: number; namedPeople?: Set<string> | undefined }

/**
 * Exchanges sockets with the other edge processes: changes as they happen, a heartbeat in between, everything on
 * request. A process without a heartbeat is dropped with its sockets.
 */
export function linkPresence(hub: Hub): PresenceLink {
  const { limits } = hub
  const { bus } = hub.host
  const self = newId()
  const presence = createPresence(limits.presenceGraceMs, (workspaceId, memberId, isOnline) =>
    notifyPresence(hub, workspaceId, memberId, isOnline),
  )
  const reporter = createReporter(hub, self)
  const lastReports = new Map<string, LastReport>()

  const dropProcess = (edge: string): void => {
    lastReports.delete(edge)
    presence.dropProcess(edge)
  }
  const applyReport = (report: ReturnType<typeof reportOf>): void => {
    const { edge, number, complete, more, entries, wanted, leaving } = report
    if (edge === self) return
    if (wanted === self) reporter.reportAllSoon()
    if (wanted === '*') reporter.beatSoon()
    if (leaving) return dropProcess(edge)
    const last = lastReports.get(edge) ?? { number: 0, arrivedAt: 0 }
    const isNext = complete || number === last.number || (entries.length > 0 && number === last.number + 1)
    const namedPeople = complete ? new Set<string>() : last.namedPeople
    lastReports.set(edge, { number: isNext ? number : last.number, arrivedAt: Date.now(), namedPeople })
    if (!isNext) return reporter.requestFrom(edge)
    for (const entry of entries) {
      presence.put(edge, entry.owner, reportOfEntry(entry))
      closeSurplus(entry.owner)
    }
    const isBeat = !complete && entries.length === 0
    if (isBeat || !namedPeople) return
    for (const { owner } of entries) namedPeople.add(owner)
    if (more) return
    lastReports.set(edge, { number, arrivedAt: Date.now() })
    presence.dropProcess(edge, namedPeople)
  }

  /** The reports of processes that missed no heartbeat: the people of a dead process are reconnecting here. */
  const otherReportsOf = (personId: string): [string, ProcessReport][] => {
    const since = Date.now() - 1.5 * limits.presenceBeatMs
    return [...presence.reportsOf(personId)].filter(([edge]) => (lastReports.get(edge)?.arrivedAt ?? 0) > since)
  }
  const countSocketsElsewhere = (personId: string): number =>
    otherReportsOf(personId).reduce((sum, [, { sockets }]) => sum + sockets, 0)
  /**
   * Closes the newest sockets above the limit, wherever they are: two processes may admit one too many at the same
   * moment.
   */
  const closeSurplus = (personId: string): void => {
    const ownConnections = [...(hub.socketsByPerson.get(personId) ?? [])]
    const otherReports = otherReportsOf(personId)
    // Both sides must agree on the older one of two sockets opened in the same millisecond.
    const isNewest = (openedAt: number): boolean =>
      otherReports.every(([edge, { lastOpenedAt: last }]) => openedAt > last || (openedAt === last && self > edge))
    let surplus = ownConnections.length + countSocketsElsewhere(personId) - limits.socketsPerMember
    for (const connection of ownConnections.toReversed())
      if (surplus-- > 0 && isNewest(connection.openedAt)) connection.close('tooMany')
  }

  const beat = setInterval(() => {
    // While this process is disconnected, missing heartbeats say nothing about the others.
    if (!bus.status().connected) return
    reporter.beat()
    const oldest = Date.now() - limits.presenceLostMs
    for (const [edge, { arrivedAt }] of lastReports) if (arrivedAt <= oldest) dropProcess(edge)
  }, limits.presenceBeatMs)
  beat.unref()

  const requestReports = (): void => {
    for (const lastReport of lastReports.values()) lastReport.arrivedAt = Date.now()
    reporter.requestFrom('*')
  }
  const stops = [
    bus.subscribeCore(presenceSubject, bytes => applyReport(reportOf(bytes))),
    bus.onConnected(requestReports),
  ]
  if (bus.status().connected) requestReports()

  return {
    personChanged(personId) {
      presence.put(self, personId, reportOfPerson(hub, personId))
      reporter.reportSoon(personId)
    },
    countSocketsElsewhere,
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
function notifyPresence(hub: Hub, workspaceId: string, memberId: string, isOnline: boolean): void {
  const desc = isOnline ? PresenceJoinedFrameSchema : PresenceLeftFrameSchema
  const { event } = frameOf(desc)
  const data = toJson(desc, create(desc, { workspaceId, memberId }))
  const text = JSON.stringify({ event, data })
  deliver(hub, { audience: inRooms(presenceRoom(workspaceId)), event, text })
}
