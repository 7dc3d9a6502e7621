import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type PresenceEntry, PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { presenceSubject } from '../../../services/kernel/base/live.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { parseMessage } from '../feed.ts'
import type { Hub } from '../hub.ts'
import type { ProcessReport } from './presence.ts'

/** Maximum of people and their workspaces in a report; the broker takes messages of up to 1 MB. */
const maxIds = 5_000
/** How long changes are batched before they are published, in ms. */
const gatherMs = 20
/** How long requests are batched before they are answered, in ms: after a reconnect all processes send some. */
const answerMs = 250

type ReportFields = Omit<MessageInitShape<typeof PresenceReportSchema>, '$typeName'>

/** A report of another process. */
export function reportOf(bytes: Uint8Array) {
  const report = parseMessage(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()))
  return { ...report, number: Number(report.number) }
}

/** Runs work once, `ms` after the first of several requests for it. */
function batchRequests(ms: number, work: () => void) {
  let timer: NodeJS.Timeout | undefined
  const run = (): void => {
    timer = undefined
    work()
  }
  return { request: () => void (timer ??= setTimeout(run, ms).unref()), stop: () => clearTimeout(timer) }
}

/**
 * Reports the sockets of this process, `self`, to the others. Reports that name people are numbered, so that a process
 * that missed one notices and requests all.
 */
export function createReporter(hub: Hub, self: string) {
  const changedPeople = new Set<string>()
  let number = 0

  const publish = (fields: ReportFields): void => {
    const message = create(PresenceReportSchema, { edge: self, number: BigInt(number), ...fields })
    hub.host.bus.publishCore(presenceSubject, JSON.stringify(toJson(PresenceReportSchema, message)))
  }
  const reportAll = (): void => {
    const parts = partsOf(hub, hub.socketsByPerson.keys())
    for (const [index, entries] of parts.entries()) {
      number++
      publish({ entries, complete: index === 0, more: index < parts.length - 1 })
    }
  }
  const reportChanged = (): void => {
    const parts = partsOf(hub, changedPeople)
    changedPeople.clear()
    for (const entries of parts) {
      number++
      publish({ entries })
    }
  }
  /** A heartbeat, with the number of the last report. */
  const beat = () => publish({})
  const changes = batchRequests(gatherMs, reportChanged)
  const answers = batchRequests(answerMs, reportAll)
  const beats = batchRequests(answerMs, beat)

  return {
    /** Reports a change of a person's sockets soon. */
    reportSoon(personId: string): void {
      changedPeople.add(personId)
      changes.request()
    },
    /** Reports everything soon. */
    reportAllSoon: answers.request,
    beat,
    beatSoon: beats.request,
    /** Requests everything from a process; with `*`, the number of the last report from each. */
    requestFrom: (edge: string) => publish({ wanted: edge }),
    stop(): void {
      for (const timer of [changes, answers, beats]) timer.stop()
      publish({ leaving: true })
    },
  }
}

type Entry = ReturnType<typeof entryOf>

/** The people's sockets, in parts that fit into a message; at least one part. */
function partsOf(hub: Hub, personIds: Iterable<string>): Entry[][] {
  let part: Entry[] = []
  let ids = 0
  const parts = [part]
  for (const personId of personIds) {
    const entry = entryOf(personId, reportOfPerson(hub, personId))
    const idCount = 1 + entry.workspaceIds.length
    if (part.length > 0 && ids + idCount > maxIds) {
      part = []
      ids = 0
      parts.push(part)
    }
    part.push(entry)
    ids += idCount
  }
  return parts
}

const entryOf = (personId: string, { workspaceIds, sockets, isVisible, lastOpenedAt }: ProcessReport) => ({
  owner: personId,
  workspaceIds,
  sockets,
  visible: isVisible,
  newest: BigInt(Math.round(lastOpenedAt * 1_000)),
})

/** The report of a person in an entry of another process. */
export const reportOfEntry = ({ workspaceIds, sockets, visible, newest }: PresenceEntry): ProcessReport => ({
  workspaceIds,
  sockets,
  isVisible: visible,
  lastOpenedAt: Number(newest) / 1_000,
})

/** A person's sockets on this process. */
export function reportOfPerson(hub: Hub, personId: string): ProcessReport {
  const sockets = [...(hub.socketsByPerson.get(personId) ?? [])]
  const workspaceIds = sockets.at(-1)?.identity?.workspaceIds ?? []
  const isVisible = sockets.some(({ isHidden, identity }) => !isHidden && !identity?.isInvisible)
  const lastOpenedAt = sockets.at(-1)?.openedAt ?? 0
  return { workspaceIds: [...workspaceIds], sockets: sockets.length, isVisible, lastOpenedAt }
}
