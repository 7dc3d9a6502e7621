import { create, type DescMessage, fromJson, getOption, type JsonValue, type MessageShape } from '@bufbuild/protobuf'
import { CommentCreatedSchema, CommentDeletedSchema } from '../../gen/platform/events/v1/comment_pb.ts'
import { type Envelope, EnvelopeSchema } from '../../gen/platform/events/v1/envelope_pb.ts'
import { HotelSettingsUpdatedSchema, HotelSubscriptionStatusSchema } from '../../gen/platform/events/v1/hotel_pb.ts'
import { LikeCreatedSchema, LikeDeletedSchema } from '../../gen/platform/events/v1/like_pb.ts'
import { MemberAccessChangedSchema, MemberRoleUpdatedSchema } from '../../gen/platform/events/v1/member_pb.ts'
import {
  PageCreatedSchema,
  type PageDeleted,
  PageDeletedSchema,
  type PageUpdated,
  PageUpdatedSchema,
} from '../../gen/platform/events/v1/page_pb.ts'
import { SocketRelaySchema } from '../../gen/platform/events/v1/socket_pb.ts'
import { WorkspaceMemberJoinedSchema } from '../../gen/platform/events/v1/workspace_pb.ts'
import * as live from '../../gen/platform/live/v1/server_pb.ts'
import { SettingsUpdatedFrameSchema } from '../../gen/platform/live/v1/settings_pb.ts'
import { event as eventOption } from '../../gen/platform/options/v1/options_pb.ts'
import { memberRoom, pageRoom } from '../../services/kernel/base/live.ts'
import { type JsonObject, toJson } from '../../services/kernel/json/encode.ts'
import { frameOf, type RoomMessage, roomsOf } from './frames.ts'
import { concernedIds, rightsChangedEvent } from './history/rights-since.ts'

type Frame = Omit<RoomMessage, 'id' | 'version'>

/** How an event of the bus becomes a frame. */
type Row = {
  key: string
  /** Published twice, for sockets and for people: only the first makes a frame. */
  isTwice: boolean
  decode(payload: JsonObject): unknown
  framesOf(payload: never, envelope: Envelope): Frame[]
}

/** A row whose frames hold the event's payload, the frame's fields from the envelope, and nothing else. */
function row<Desc extends DescMessage>(
  event: Desc,
  framesOf: (payload: MessageShape<Desc>, envelope: Envelope) => Frame[],
  isTwice = false,
): Row {
  return { key: getOption(event, eventOption).key, isTwice, decode: payload => parseMessage(event, payload), framesOf }
}

/** A message of the bus. Unknown fields are ignored, because processes of two versions run during an update. */
export const parseMessage = <Desc extends DescMessage>(desc: Desc, json: unknown): MessageShape<Desc> =>
  fromJson(desc, json as JsonValue, { ignoreUnknownFields: true })

/** A frame of live/v1 from the fields of the same name, in the rooms of its option. */
function frame(desc: DescMessage, fields: Record<string, unknown>): Frame {
  const frameFields = Object.fromEntries(desc.fields.map(({ localName }) => [localName, fields[localName]]))
  return {
    rooms: roomsOf(desc, fields),
    event: frameOf(desc).event,
    data: toJson(desc, create(desc, frameFields as never)),
  }
}

/** The frame of a change of a page; for a page that readers can't see, in its own room alone. */
function pageFrame(desc: DescMessage, page: PageUpdated | PageDeleted, envelope: Envelope): Frame {
  const defaultFrame = frame(desc, { ...page, ...envelopeFields(envelope) })
  return page.editorsOnly ? { ...defaultFrame, rooms: [pageRoom(page.id)] } : defaultFrame
}

const envelopeFields = ({ metadata, workspaceId }: Envelope) => ({
  workspaceId,
  actor: metadata?.actor,
  timestamp: metadata?.timestamp,
})

/** The changed settings known to the frame, under the hotel service's names. */
function settings(hotelId: string, changes: JsonObject): JsonObject {
  const frameKeys = new Set(SettingsUpdatedFrameSchema.fields.map(({ jsonName }) => jsonName))
  return { hotelId, ...Object.fromEntries(Object.entries(changes).filter(([key]) => frameKeys.has(key))) }
}

/** One row per event that makes frames (docs/architecture.md). */
const rows: Row[] = [
  row(PageCreatedSchema, (page, e) => [frame(live.PageCreatedFrameSchema, { ...page, ...envelopeFields(e) })], true),
  row(PageUpdatedSchema, (page, e) => [pageFrame(live.PageUpdatedFrameSchema, page, e)]),
  row(PageDeletedSchema, (page, e) => [pageFrame(live.PageDeletedFrameSchema, page, e)]),
  row(CommentCreatedSchema, comment => [frame(live.CommentCreatedFrameSchema, comment)], true),
  row(CommentDeletedSchema, comment => [frame(live.CommentDeletedFrameSchema, comment)]),
  row(LikeCreatedSchema, like => [frame(live.LikeCreatedFrameSchema, like)]),
  row(LikeDeletedSchema, like => [frame(live.LikeDeletedFrameSchema, like)]),
  row(WorkspaceMemberJoinedSchema, member => [frame(live.MemberJoinedFrameSchema, { ...member, id: member.memberId })]),
  row(MemberRoleUpdatedSchema, role => [frame(live.RoleUpdatedFrameSchema, role)]),
  row(MemberAccessChangedSchema, change => [{ rooms: concernedIds(change), event: rightsChangedEvent, data: {} }]),
  row(HotelSettingsUpdatedSchema, ({ hotelIds, changes }) =>
    hotelIds.map(hotelId => ({
      rooms: roomsOf(SettingsUpdatedFrameSchema, { hotelId }),
      event: frameOf(SettingsUpdatedFrameSchema).event,
      data: settings(hotelId, (changes ?? {}) as JsonObject),
    })),
  ),
  row(HotelSubscriptionStatusSchema, hotel => [frame(live.SubscriptionStatusFrameSchema, hotel)]),
  row(SocketRelaySchema, ({ event, rooms, data }, { metadata }) => [
    {
      rooms: rooms.length > 0 ? rooms : (metadata?.receiverIds ?? []).map(memberRoom),
      event,
      data: (data ?? {}) as JsonObject,
    },
  ]),
]

const rowsByKey = new Map(rows.map(entry => [entry.key, entry]))

/** The bus subjects that make frames. */
export const fedSubjects: ReadonlySet<string> = new Set(rowsByKey.keys())

/** Events that make no frame on purpose. Every event is either here or has a row (`npm run check`). */
export const unfedSubjects: ReadonlySet<string> = new Set([
  // signals.ts closes sockets on them.
  'platform.auth.user.deleted',
  'platform.auth.user.sessions_revoked',
  // For the audit log.
  'platform.audit.recorded',
  // For accounts only: the person concerned is signed in nowhere, or their sign-ins end.
  'platform.member.rest_ended',
  'platform.member.erased',
  'platform.member.administration_revoked',
  'platform.member.departed',
  // notification:new reports it to the receivers; signals.ts also checks sockets on the end of a membership or member.
  'platform.notification.hotel.created',
  'platform.notification.hotel.updated',
  'platform.notification.hotel.deleted',
  'platform.notification.member.registered',
  'platform.notification.member.updated',
  'platform.notification.member.deleted',
  'platform.notification.member.onboarding',
  'platform.notification.page.due',
  'platform.notification.page.mentioned',
  'platform.notification.page.reminded',
  'platform.notification.workspace.created',
  'platform.notification.workspace.member_left',
  // They change notifications; the contract has no frame.
  'platform.news.comment.updated',
  'platform.news.page.released',
  'platform.member.invitation_cancelled',
  // Between services, and for record-keeping.
  'platform.auth.user.created',
  'platform.authentication.email_changed',
  'platform.authentication.ecosystem_deleted',
  'platform.authentication.login_data_set',
  'platform.authentication.password_changed',
  'platform.authentication.reset_requested',
  'platform.authentication.signed_in',
  'platform.authentication.tokens_revoked',
  'platform.authentication.user_deleted',
  'platform.authentication.user_invited',
  'platform.payment.subscription_changed',
  'platform.storage.media',
  'platform.webhook.report-error',
])

/** The frames of an event; none for an event without a row. */
export function framesFor(subject: string, body: unknown): RoomMessage[] {
  const entry = rowsByKey.get(subject)
  if (!entry) return []
  const envelope = parseMessage(EnvelopeSchema, body)
  const isForSocketsAlone = envelope.channels.length === 1 && envelope.channels[0] === 'socket'
  if (entry.isTwice && !isForSocketsAlone) return []
  const id = envelope.metadata?.occurrenceId ?? ''
  const payload = entry.decode((envelope.payload ?? {}) as JsonObject)
  return entry.framesOf(payload as never, envelope).map(one => ({ ...one, id, version: 0 }))
}
