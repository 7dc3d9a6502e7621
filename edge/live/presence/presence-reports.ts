import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { presenceSubject } from '../../../services/kernel/base/live.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { parseMessage } from '../feed.ts'
import type { Hub } from '../hub.ts'
import type { Share } from './presence.ts'

/** Maximum of people and their workspaces in a report; the broker takes messages of up to 1 MB. */
const maxIds = 5_000
/** How long changes are batched before they are published, in ms. */
const gatherMs = 20
/** How long requests are batched before they are answered, in ms: after a reconnect all processes ask at once. */
const answerMs = 250

type Report = Omit<MessageInitShape<typeof PresenceReportSchema>, '$typeName'>

/** A report of another process. */
export function reportOf(bytes: Uint8Array) {
  const report = parseMessage(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()))
  return { ...report, number: Number(report.number) }
}

/** Runs work once, some time after the first of several requests for it. */
function batched(ms: number, work: () => void) {
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
  const changedOwners = new Set<string>()
  let number = 0

  const publish = (report: Report): void => {
    const message = create(PresenceReportSchema, { edge: self, number: BigInt(number), ...report })
    hub.host.bus.publishCore(presenceSubject, JSON.stringify(toJson(PresenceReportSchema, message)))
  }
  const reportAll = (): void => {
    const parts = partsOf(hub, hub.owners.keys())
    for (const [index, entries] of parts.entries()) {
      number++
      publish({ entries, complete: index === 0, more: index < parts.length - 1 })
    }
  }
  const reportChanged = (): void => {
    const parts = partsOf(hub, changedOwners)
    changedOwners.clear()
    for (const entries of parts) {
      number++
      publish({ entries })
    }
  }
  /** A heartbeat, with the number of the last report. */
  const beat = () => publish({})
  const changes = batched(gatherMs, reportChanged)
  const answers = batched(answerMs, reportAll)
  const beats = batched(answerMs, beat)

  return {
    /** Reports a change of a person's sockets soon. */
    changed(owner: string): void {
      changedOwners.add(owner)
      changes.request()
    },
    /** Reports everything soon. */
    answer: answers.request,
    beat,
    beatSoon: beats.request,
    /** Requests everything from a process, or the number of its last report from all with `*`. */
    ask: (edge: string) => publish({ wanted: edge }),
    stop(): void {
      for (const timer of [changes, answers, beats]) timer.stop()
      publish({ leaving: true })
    },
  }
}

type Entry = ReturnType<typeof entryOf>

/** The people's sockets, in parts that fit into a message; at least one part. */
function partsOf(hub: Hub, owners: Iterable<string>): Entry[][] {
  let part: Entry[] = []
  let ids = 0
  const parts = [part]
  for (const owner of owners) {
    const entry = entryOf(owner, shareOf(hub, owner))
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

const entryOf = (owner: string, { newest, ...share }: Share) => ({
  owner,
  ...share,
  newest: BigInt(Math.round(newest * 1_000)),
})

/** A person's sockets on this process. */
export function shareOf(hub: Hub, owner: string): Share {
  const sockets = [...(hub.owners.get(owner) ?? [])]
  const workspaceIds = sockets.at(-1)?.identity?.workspaceIds ?? []
  const visible = sockets.some(({ hidden, identity }) => !hidden && !identity?.isInvisible)
  return { workspaceIds: [...workspaceIds], sockets: sockets.length, visible, newest: sockets.at(-1)?.openedAt ?? 0 }
}
