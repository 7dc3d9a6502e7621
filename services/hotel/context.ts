import type { Client } from '@connectrpc/connect'
import type { AccountService } from '../../gen/platform/auth/v1/accounts_pb.ts'
import type { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import type { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import type { HotelWorkspaceService } from '../../gen/platform/member/v1/hotel_workspaces_pb.ts'
import type { CustomerService } from '../../gen/platform/payment/v1/customers_pb.ts'
import type { PlanService } from '../../gen/platform/payment/v1/plans_pb.ts'
import type { SubscriptionService } from '../../gen/platform/payment/v1/subscriptions_pb.ts'
import type { Cipher } from '../kernel/base/secrets.ts'
import type { CallService } from './outside/calls.ts'
import type { ChatProvider } from './outside/chat.ts'
import type { Sagas } from './sagas/leased-run.ts'
import type { Saga } from './sagas/saga.ts'
import type { HotelDb } from './tables.ts'

/** What the durable procedures need from outside of this service. */
export type HotelDependencies = {
  db: HotelDb
  chat: ChatProvider
  callService: CallService
  secrets: Cipher
  /** Start of a hotel's web address. */
  frontUrl: string
  accounts: Client<typeof AccountService>
  media: Client<typeof MediaService>
  members: Client<typeof HotelMemberService>
  workspaces: Client<typeof HotelWorkspaceService>
  customers: Client<typeof CustomerService>
  plans: Client<typeof PlanService>
  subscriptions: Client<typeof SubscriptionService>
}

/** Dependencies of the handlers. */
export type Context = {
  dependencies: HotelDependencies
  sagas: Sagas
  creation: Saga
  deletion: Saga
  restoration: Saga
  suspension: Saga
  reopening: Saga
  renaming: Saga
  chatCreation: Saga
  restoreDays: number
}
