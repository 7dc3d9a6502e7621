import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { PresenceReportSchema } from '../../../gen/platform/live/v1/presence_pb.ts'
import { toJson } from '../../../services/kernel/json/encode.ts'
import { parseMessage } from '../feed.ts'
import type { Hub } from '../hub.ts'
import type { Share } from './presence.ts'

/** Bus subject on which the edge processes tell each other of their sockets. */
export const presenceSubject = 'live.presence'
const ownersPerReport = 1_000
/** Changes are gathered for so long before they are told, and questions before they are answered. */
const gatherMs = 20

type Report = Omit<MessageInitShape<typeof PresenceReportSchema>, '$typeName'>

/** What another process said. */
export function reportOf(bytes: Uint8Array) {
  const report = parseMessage(PresenceReportSchema, JSON.parse(Buffer.from(bytes).toString()))
  return { ...report, number: Number(report.number) }
}

/**
 * Tells the other edge processes of the sockets of this one, whose name is `self`. Reports that name people are numbered,
 * so that who missed one notices and asks for all.
 */
export function createReporter(hub: Hub, self: string) {
  const changedOwners = new Set<string>()
  let number = 0
  let gathering: NodeJS.Timeout | undefined
  let answering: NodeJS.Timeout | undefined

  const say = (report: Report): void => {
    const message = create(PresenceReportSchema, { edge: self, number: BigInt(number), ...report })
    hub.host.bus.publishCore(presenceSubject, JSON.stringify(toJson(PresenceReportSchema, message)))
  }
  /** Tells of people in parts that fit into a message; the first of a complete report voids what was said before. */
  const tell = (owners: string[], complete: boolean): void => {
    for (let from = 0; from < owners.length || (complete && from === 0); from += ownersPerReport) {
      number++
      const entries = owners.slice(from, from + ownersPerReport).map(owner => entryOf(owner, shareOf(hub, owner)))
      say({ entries, complete: complete && from === 0 })
    }
  }
  const tellAll = (): void => {
    answering = undefined
    tell([...hub.owners.keys()], true)
  }
  const tellChanged = (): void => {
    gathering = undefined
    const owners = [...changedOwners]
    changedOwners.clear()
    tell(owners, false)
  }

  return {
    /** Tells soon what has changed with somebody's sockets. */
    changed(owner: string): void {
      changedOwners.add(owner)
      gathering ??= setTimeout(tellChanged, gatherMs).unref()
    },
    tellAll,
    /** Tells everything soon: several who ask at once get one answer. */
    answer(): void {
      answering ??= setTimeout(tellAll, gatherMs).unref()
    },
    /** A sign of life, with the number of the last report. */
    beat: () => say({}),
    /** Asks a process, or all with `*`, for everything. */
    ask: (edge: string) => say({ wanted: edge }),
    stop(): void {
      clearTimeout(gathering)
      clearTimeout(answering)
      say({ leaving: true })
    },
  }
}

const entryOf = (owner: string, { newest, ...share }: Share) => ({
  owner,
  ...share,
  newest: BigInt(Math.round(newest * 1_000)),
})

/** What this process has of somebody's sockets. */
export function shareOf(hub: Hub, owner: string): Share {
  const sockets = [...(hub.owners.get(owner) ?? [])]
  const workspaceIds = sockets.at(-1)?.identity?.workspaceIds ?? []
  const visible = sockets.some(({ hidden, identity }) => !hidden && !identity?.isInvisible)
  return { workspaceIds: [...workspaceIds], sockets: sockets.length, visible, newest: sockets.at(-1)?.openedAt ?? 0 }
}
