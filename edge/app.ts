import express, { type Express } from 'express'
import helmet from 'helmet'
import { catalogue, type RestService } from '../gen/catalogue.ts'
import { AccountService } from '../gen/platform/auth/v1/accounts_pb.ts'
import { PreferenceService } from '../gen/platform/notification/v1/preferences_pb.ts'
import type { HeaderCheck } from '../services/kernel/rpc/door/handlers.ts'
import type { Host } from '../services/kernel/rpc/host.ts'
import type { EdgeConfig } from './config.ts'
import { type HomeLinks, homeRoutes } from './docs/home.ts'
import { docsRoutes } from './docs/routes.ts'
import { frontPlace } from './front/place.ts'
import { healthRoutes } from './health.ts'
import { cors } from './http/cors.ts'
import { answerAnyError, setDialects } from './http/errors.ts'
import { dataPolicy } from './http/policies.ts'
import { cutSlowClients, slowClientLimits } from './http/slow.ts'
import { requireWellFormed } from './http/well-formed.ts'
import { inboxRoutes } from './inbox/inbox-file.ts'
import { unsubscribeRoutes } from './inbox/unsubscribe-page.ts'
import { clientRoutes } from './live/client/client-file.ts'
import type { Admission } from './rest/admission.ts'
import { refusalCounter } from './rest/broken.ts'
import { type Notice, restHandler } from './rest/handler.ts'
import { dialectsOf, routesOf } from './rest/routes.ts'
import { rpcProxy } from './rest/rpc-proxy.ts'
import { paymentWebhook } from './rest/webhook.ts'

type State = {
  draining: () => boolean
  /** What the first page leads to. */
  neighbours: () => HomeLinks
  /** Called for every call of a route. */
  notice: Notice
  /** Limits the concurrent calls. */
  admitted: Admission
}

/** The Express app of one listener: the routes declared by its services, and their health. Never listens. */
export function createApp(
  services: RestService[],
  host: Host,
  config: EdgeConfig,
  { draining, neighbours, notice, admitted }: State,
): Express {
  const descriptors = services.flatMap(name => catalogue[name])
  const transportOf = admitted.limitCalls(host.transport)
  const checkHeaders: HeaderCheck = (method, header) => {
    const checkCredentials = () => host.checkHeaders(method, header)
    // Streams (files) are limited by their connections; looking up their credentials counts like any other call.
    const needsLookup = header('authorization') !== undefined || header('x-api-key') !== undefined
    return method.methodKind === 'unary' || needsLookup
      ? admitted.during(method.parent, checkCredentials, AccountService)
      : checkCredentials()
  }
  const count = refusalCounter(host.client(AccountService))
  const app = express()
  app.disable('x-powered-by').disable('etag').set('query parser', false).set('trust proxy', config.trustProxyHops)
  app.use(
    helmet({
      contentSecurityPolicy: { useDefaults: false, directives: dataPolicy },
      crossOriginResourcePolicy: { policy: 'cross-origin' },
    }),
  )
  setDialects(app, dialectsOf(descriptors.flatMap(routesOf)))
  app.use(requireWellFormed)
  app.use(cors(config.origins))
  app.use(cutSlowClients(slowClientLimits))
  app.use(healthRoutes(services, host, draining))
  app.use(homeRoutes(services, config.development, neighbours))
  app.use(docsRoutes({ services, showLegacy: config.development, allServicesUrl: allServicesUrl(config) }))
  app.use(clientRoutes())
  if (services.includes('notification'))
    app.use(
      inboxRoutes(config.development),
      unsubscribeRoutes(transportOf(PreferenceService), host.client(PreferenceService)),
    )
  if (services.includes('payment')) {
    const payment = catalogue.payment[0]
    if (payment) app.use(paymentWebhook(transportOf(payment)))
  }
  app.use('/rpc', rpcProxy(descriptors, transportOf, checkHeaders, count))
  app.use(
    restHandler(descriptors, transportOf, {
      notice,
      checkHeaders,
      countRefusal: count,
      maxFileBytes: config.maxFileBytes,
    }),
  )
  app.use(answerAnyError)
  return app
}

/** The documentation of all services, which the web client's port has. */
function allServicesUrl({ frontPort, frontAddress }: EdgeConfig): string | undefined {
  return frontPort === undefined ? undefined : new URL(`${frontPlace(frontAddress).path}docs/`, frontAddress).href
}
