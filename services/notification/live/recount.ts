import { create, fromJson } from '@bufbuild/protobuf'
import { PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { readRightsChange, rightsChangedSubject } from '../../kernel/access/rights.ts'
import { newId } from '../../kernel/base/ids.ts'
import { presenceSubject } from '../../kernel/base/live.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { toJson } from '../../kernel/json/encode.ts'
import type { Unread } from './unread.ts'

const answersMs = 5_000

/**
 * Publishes unread counts to everyone with a socket, at start and on each reconnection to the broker. Otherwise,
 * sockets would keep an outdated number after a process died before publishing, or the broker lost a frame. A change of
 * rights hides or shows notifications of a workspace, so it recounts those of its members.
 * @returns stops it
 */
export function startRecounting(bus: Bus, unread: Pick<Unread, 'publishCounts'>): () => void {
  let stopListening = () => {}

  /** Requests everything of one process, or a heartbeat of all (`*`). */
  const requestReport = (edgeId: string): void => {
    // `leaving`, so that edges don't record this process: it has no sockets.
    const question = create(PresenceReportSchema, { edge: newId(), wanted: edgeId, leaving: true })
    bus.publishCore(presenceSubject, JSON.stringify(toJson(PresenceReportSchema, question)))
  }
  const handleReport = (bytes: Uint8Array, askedEdges: Set<string>): void => {
    const { edge, entries, leaving } = fromJson(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()), {
      ignoreUnknownFields: true,
    })
    if (!leaving && !askedEdges.has(edge)) {
      askedEdges.add(edge)
      requestReport(edge)
    }
    const connectedEntries = entries.filter(({ sockets }) => sockets > 0)
    for (const [workspaceId, people] of Map.groupBy(connectedEntries, ({ workspaceIds }) => workspaceIds[0]))
      if (workspaceId)
        unread.publishCounts(
          workspaceId,
          people.map(({ owner }) => owner),
        )
  }
  const requestReports = (): void => {
    stopListening()
    const askedEdges = new Set<string>()
    const stop = bus.subscribeCore(presenceSubject, bytes => handleReport(bytes, askedEdges))
    const timer = setTimeout(() => stopListening(), answersMs).unref()
    stopListening = () => {
      clearTimeout(timer)
      stop()
      stopListening = () => {}
    }
    requestReport('*')
  }

  const stops = [
    bus.onConnected(requestReports),
    bus.subscribeCore(rightsChangedSubject, bytes => {
      const { memberIds, workspaceId } = readRightsChange(bytes)
      if (memberIds.length === 0) requestReports()
      else if (workspaceId) unread.publishCounts(workspaceId, memberIds)
    }),
  ]
  if (bus.status().connected) requestReports()
  return () => {
    stops.forEach(stop => stop())
    stopListening()
  }
}
