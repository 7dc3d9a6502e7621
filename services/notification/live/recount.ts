import { create, fromJson } from '@bufbuild/protobuf'
import { PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Bus } from '../../kernel/bus/bus.ts'
import { presenceSubject } from '../../kernel/bus/live.ts'
import { toJson } from '../../kernel/json/encode.ts'
import type { Unread } from './unread.ts'

const answersMs = 5_000

/**
 * Publishes unread counts to everyone with a socket, at start and on each reconnection to the broker. Otherwise,
 * sockets would keep an outdated number after a process died before publishing, or the broker lost a frame.
 * @returns stops it
 */
export function recountAtConnect(bus: Bus, unread: Pick<Unread, 'publishCounts'>): () => void {
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

  const unsubscribe = bus.onConnected(requestReports)
  if (bus.status().connected) requestReports()
  return () => {
    unsubscribe()
    stopListening()
  }
}
