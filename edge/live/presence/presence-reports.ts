import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { parseMessage } from '../feed.ts'
import type { Hub } from '../hub.ts'
import type { Share } from './presence.ts'

/** Bus subject on which the edge processes exchange their sockets. */
export const presenceSubject = 'live.presence'
const ownersPerReport = 1_000
/** How long changes, or requests, are batched before they are published or answered, in ms. */
const gatherMs = 20

type Report = Omit<MessageInitShape<typeof PresenceReportSchema>, '$typeName'>

/** A report of another process. */
export function reportOf(bytes: Uint8Array) {
  const report = parseMessage(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()))
  return { ...report, number: Number(report.number) }
}

/**
 * Reports the sockets of this process, `self`, to the others. Reports that name people are numbered, so that a process
 * that missed one notices and requests all.
 */
export function createReporter(hub: Hub, self: string) {
  const changedOwners = new Set<string>()
  let number = 0
  let gathering: NodeJS.Timeout | undefined
  let answering: NodeJS.Timeout | undefined

  const publish = (report: Report): void => {
    const message = create(PresenceReportSchema, { edge: self, number: BigInt(number), ...report })
    hub.host.bus.publishCore(presenceSubject, JSON.stringify(toJson(PresenceReportSchema, message)))
  }
  /** Reports people in parts that fit into a message; the first part of a complete report replaces all earlier ones. */
  const reportOwners = (owners: string[], complete: boolean): void => {
    for (let from = 0; from < owners.length || (complete && from === 0); from += ownersPerReport) {
      number++
      const entries = owners.slice(from, from + ownersPerReport).map(owner => entryOf(owner, shareOf(hub, owner)))
      publish({ entries, complete: complete && from === 0 })
    }
  }
  const reportAll = (): void => {
    answering = undefined
    reportOwners([...hub.owners.keys()], true)
  }
  const reportChanged = (): void => {
    gathering = undefined
    const owners = [...changedOwners]
    changedOwners.clear()
    reportOwners(owners, false)
  }

  return {
    /** Reports a change of a person's sockets soon. */
    changed(owner: string): void {
      changedOwners.add(owner)
      gathering ??= setTimeout(reportChanged, gatherMs).unref()
    },
    reportAll,
    /** Reports everything soon: several concurrent requests get one answer. */
    answer(): void {
      answering ??= setTimeout(reportAll, gatherMs).unref()
    },
    /** A heartbeat, with the number of the last report. */
    beat: () => publish({}),
    /** Requests everything from a process, or from all with `*`. */
    ask: (edge: string) => publish({ wanted: edge }),
    stop(): void {
      clearTimeout(gathering)
      clearTimeout(answering)
      publish({ leaving: true })
    },
  }
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
