import { create } from '@bufbuild/protobuf'
import { createContextValues } from '@connectrpc/connect'
import express, { type Express, type Request, type RequestHandler } from 'express'
import helmet from 'helmet'
import { AccountSupportService } from '../../gen/platform/auth/v1/account_support_pb.ts'
import { SessionService } from '../../gen/platform/auth/v1/sessions_pb.ts'
import { HotelService } from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { SetupService } from '../../gen/platform/hotel/v1/setups_pb.ts'
import { UsageService } from '../../gen/platform/legacyauth/v1/usage_pb.ts'
import { AuditService } from '../../gen/platform/member/v1/audit_pb.ts'
import { HotelMemberService } from '../../gen/platform/member/v1/hotel_members_pb.ts'
import { MemberService } from '../../gen/platform/member/v1/members_pb.ts'
import { OnboardingService } from '../../gen/platform/member/v1/onboarding_pb.ts'
import { WorkspaceService } from '../../gen/platform/member/v1/workspaces_pb.ts'
import { AnalyticsService } from '../../gen/platform/notification/v1/analytics_pb.ts'
import { DeadLetterService } from '../../gen/platform/notification/v1/dead_letters_pb.ts'
import { DeliveryService } from '../../gen/platform/notification/v1/deliveries_pb.ts'
import { WebhookService } from '../../gen/platform/notification/v1/webhooks_pb.ts'
import { AccessSchema, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { PlanService } from '../../gen/platform/payment/v1/plans_pb.ts'
import { SubscriptionService } from '../../gen/platform/payment/v1/subscriptions_pb.ts'
import { authorize } from '../../services/kernel/access/access.ts'
import { actorKey } from '../../services/kernel/access/actor.ts'
import type { AccessClaims } from '../../services/kernel/access/tokens.ts'
import {
  ForbiddenError,
  invalid,
  NotFoundError,
  ServiceUnavailableError,
  toRpcError,
  UnauthorizedError,
} from '../../services/kernel/base/errors.ts'
import { BusUnavailableError } from '../../services/kernel/bus/bus.ts'
import { type Host, serviceNames } from '../../services/kernel/rpc/host.ts'
import type { EdgeConfig } from '../config.ts'
import { healthOf, probeRoutes } from '../health.ts'
import { answerAnyError, sendError } from '../http/errors.ts'
import { jsonForPrograms, platformName } from '../http/first-answer.ts'
import { noDevices } from '../http/policies.ts'
import { requestIdFrom } from '../http/request-id.ts'
import { cutSlowClients, slowClientLimits } from '../http/slow.ts'
import { requireWellFormed } from '../http/well-formed.ts'
import type { Admission } from '../rest/admission.ts'
import { restHandler } from '../rest/handler.ts'
import { matcher } from '../rest/match.ts'
import { routesOf } from '../rest/routes.ts'
import { browserSession, tokenOf } from '../session/browser-session.ts'
import type { ConsoleStatus } from './app/answers.ts'
import { eventReader } from './events.ts'
import { pagePolicy, pageRoutes } from './page.ts'

/** The REST routes that the page uses; its port serves no others. */
const offered = [
  SessionService.method.listSessions,
  SessionService.method.endSession,
  AccountSupportService.method.listAccounts,
  AccountSupportService.method.unlockAccount,
  AccountSupportService.method.endAccountSessions,
  AccountSupportService.method.sendAccountConfirmation,
  HotelService.method.listHotels,
  HotelService.method.getHotel,
  HotelService.method.createHotel,
  HotelService.method.updateHotel,
  HotelService.method.deleteHotel,
  HotelService.method.restoreHotel,
  HotelMemberService.method.listHotelMembers,
  MemberService.method.listMembers,
  OnboardingService.method.listInvitations,
  OnboardingService.method.resendInvitation,
  WorkspaceService.method.listWorkspaces,
  WorkspaceService.method.getWorkspace,
  PlanService.method.listPlans,
  SubscriptionService.method.getSubscription,
  SubscriptionService.method.assignSubscription,
  AuditService.method.listAuditEntries,
  AuditService.method.listPlatformAuditEntries,
  AnalyticsService.method.getNotificationAnalytics,
  SetupService.method.listSetups,
  SetupService.method.resumeSetup,
  DeadLetterService.method.listDeadLetters,
  DeadLetterService.method.getDeadLetter,
  DeadLetterService.method.redriveDeadLetter,
  DeadLetterService.method.redriveDeadLetters,
  DeadLetterService.method.discardDeadLetter,
  DeadLetterService.method.getRedriveOutcomes,
  DeliveryService.method.getDeliveryStatistics,
  DeliveryService.method.listDeliveries,
  WebhookService.method.listWebhooks,
  WebhookService.method.updateWebhook,
  WebhookService.method.listWebhookDeliveries,
  WebhookService.method.resendWebhookDelivery,
  UsageService.method.listUsage,
]
const services = [...new Set(offered.map(({ parent }) => parent))]
export const offeredRoutes = services
  .flatMap(routesOf)
  .filter(({ method }) => offered.some(one => one.name === method.name && one.parent === method.parent))

/**
 * The operator's console: the page, its sign-in and its data. Everything but page and sign-in is for platform
 * administrators, whatever the route itself would allow. Never listens.
 */
export function createConsole(host: Host, config: EdgeConfig, draining: () => boolean, admitted: Admission): Express {
  const events = eventReader(host.bus)
  const match = matcher(offeredRoutes)

  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', config.trustProxyHops)
  app.use(helmet({ contentSecurityPolicy: { useDefaults: false, directives: pagePolicy } }))
  app.use((_request, response, next) => {
    response.setHeader('Permissions-Policy', noDevices)
    next()
  })
  app.use(requireWellFormed)
  app.use(cutSlowClients(slowClientLimits))
  app.get('/health', (_request, response) => {
    response.json(healthOf('operator-console'))
  })
  app.use(probeRoutes([], host, draining))
  app.get(
    '/',
    jsonForPrograms(() => ({ name: platformName, service: 'operator-console', health: '/health' })),
  )
  app.use(pageRoutes())
  const session = { name: 'console', path: '/console/session', admit: (token: string) => admit(host, token) }
  app.use(browserSession(admitted.limitCalls(host.transport), session))
  app.use(gate(host))
  app.get(
    '/console/api/status',
    consoleRoute(() => platformStatus(host, config)),
  )
  app.get(
    '/console/api/events',
    consoleRoute(request => {
      const limit = Math.min(100, numberIn(request, 'limit') || 50)
      const [before, after] = [numberIn(request, 'before'), numberIn(request, 'after')]
      const [type] = textsIn(request, 'type')
      const exact = textsIn(request, 'exact')[0] === 'true'
      return events({ before, after, limit, type, exact, about: textsIn(request, 'about') })
    }),
  )
  app.use((request, response, next) => {
    if (match(request.method === 'HEAD' ? 'GET' : request.method, request.path).kind === 'route') return next()
    const error = new NotFoundError(`No route ${request.path} on this port`)
    sendError(response, error, requestIdFrom(request))
  })
  app.use(restHandler(services, host.transport))
  app.use(answerAnyError)
  return app
}

/** Everything below is for platform administrators. */
const gate =
  (host: Host): RequestHandler =>
  async (request, response, next) => {
    try {
      await admit(host, tokenOf(request))
    } catch (error) {
      return sendError(response, error, requestIdFrom(request))
    }
    next()
  }

/** A route that the edge answers itself. */
const consoleRoute =
  (answer: (request: Request) => Promise<object>): RequestHandler =>
  async (request, response) => {
    const requestId = requestIdFrom(request)
    try {
      const body = await answer(request)
      response.json(body)
    } catch (error) {
      const isBrokerLost = error instanceof BusUnavailableError
      const answerError = isBrokerLost ? new ServiceUnavailableError(undefined, { cause: error }) : error
      sendError(response, answerError, requestId)
    }
  }

/** A whole number from the query, undefined without it. Throws a ValidationError. */
function numberIn({ url }: Request, name: string): number | undefined {
  const text = new URLSearchParams(url.split('?')[1] ?? '').get(name)
  if (text === null) return undefined
  if (!/^\d{1,15}$/.test(text)) throw invalid(name, 'must be a whole number', 'type')
  return Number(text)
}

/** The texts of a query parameter, at most ten. Throws a ValidationError for one that is too long. */
function textsIn({ url }: Request, name: string): string[] {
  const texts = new URLSearchParams(url.split('?')[1] ?? '').getAll(name).filter(Boolean).slice(0, 10)
  if (texts.some(text => text.length > 100)) throw invalid(name, 'must have at most 100 characters', 'max_len')
  return texts
}

/** The platform's current state: the answer of GET /console/api/status. */
async function platformStatus(
  host: Pick<Host, 'bus' | 'healthy'>,
  { deprecatedSince, sunset }: Pick<EdgeConfig, 'deprecatedSince' | 'sunset'>,
): Promise<ConsoleStatus> {
  const [services, backlog] = await Promise.all([
    Promise.all(serviceNames.map(async name => ({ name, up: await host.healthy(name) }))),
    host.bus.backlog().catch(() => undefined),
  ])
  return {
    legacy: { deprecatedSince, sunset },
    bus: {
      connected: host.bus.status().connected,
      dead: backlog?.dead ?? null,
      consumers: backlog?.consumers ?? [],
    },
    services,
  }
}

/** The parts of the host that identify a caller, the same for every route of the platform. */
type Doors = Pick<Host, 'tokens' | 'accounts' | 'rights'>

const administrators = create(AccessSchema, { callers: [Caller.PLATFORM_ADMIN], scope: Scope.IDENTITY })

/**
 * Admits a platform administrator with a valid session, by the rule of administrators' RPCs. Throws an
 * UnauthorizedError or a ForbiddenError.
 */
async function admit(doors: Doors, token: string | undefined): Promise<AccessClaims> {
  const claims = token ? doors.tokens.verify(token) : undefined
  if (!claims || !(await doors.accounts.isValid(claims))) throw new UnauthorizedError()
  const values = createContextValues().set(actorKey, { kind: 'person', claims })
  try {
    await authorize(administrators, undefined, values, doors.rights)
  } catch (error) {
    if (toRpcError(error).info.status !== 403) throw error
    throw new ForbiddenError('The console is for platform administrators')
  }
  return claims
}
