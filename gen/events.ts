// Written by npm run gen.
import { type DescFile, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { event } from './platform/options/v1/options_pb.ts'
import { file_platform_events_v1_audit } from './platform/events/v1/audit_pb.ts'
import { file_platform_events_v1_auth } from './platform/events/v1/auth_pb.ts'
import { file_platform_events_v1_authentication } from './platform/events/v1/authentication_pb.ts'
import { file_platform_events_v1_comment } from './platform/events/v1/comment_pb.ts'
import { file_platform_events_v1_hotel } from './platform/events/v1/hotel_pb.ts'
import { file_platform_events_v1_like } from './platform/events/v1/like_pb.ts'
import { file_platform_events_v1_member } from './platform/events/v1/member_pb.ts'
import { file_platform_events_v1_page } from './platform/events/v1/page_pb.ts'
import { file_platform_events_v1_payment } from './platform/events/v1/payment_pb.ts'
import { file_platform_events_v1_socket } from './platform/events/v1/socket_pb.ts'
import { file_platform_events_v1_storage } from './platform/events/v1/storage_pb.ts'
import { file_platform_events_v1_webhook } from './platform/events/v1/webhook_pb.ts'
import { file_platform_events_v1_workspace } from './platform/events/v1/workspace_pb.ts'

const files: DescFile[] = [
  file_platform_events_v1_audit,
  file_platform_events_v1_auth,
  file_platform_events_v1_authentication,
  file_platform_events_v1_comment,
  file_platform_events_v1_hotel,
  file_platform_events_v1_like,
  file_platform_events_v1_member,
  file_platform_events_v1_page,
  file_platform_events_v1_payment,
  file_platform_events_v1_socket,
  file_platform_events_v1_storage,
  file_platform_events_v1_webhook,
  file_platform_events_v1_workspace,
]

/** The events of the bus, by type such as page.created. */
export const events: ReadonlyMap<string, DescMessage> = new Map(
  files
    .flatMap(file => file.messages)
    .filter(desc => hasOption(desc, event))
    .map(desc => [getOption(desc, event).type, desc]),
)
