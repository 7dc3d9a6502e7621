import { Router } from 'express'
import type { RestService } from '../gen/catalogue.ts'
import { NotFoundError } from '../services/kernel/base/errors.ts'
import { platformVersion } from '../services/kernel/process/version.ts'
import type { Host, ServiceName } from '../services/kernel/rpc/host.ts'
import { listeners } from './config.ts'
import { sendError } from './http/errors.ts'
import { requestIdFrom } from './http/request-id.ts'
import { refuseVerb } from './rest/handler.ts'

type State = Pick<Host, 'bus' | 'healthy'>

/** The body of GET /health. */
export const healthOf = (service: string, healthy = true) => ({
  status: healthy ? 'UP' : 'DOWN',
  service,
  timestamp: new Date().toISOString(),
  version: platformVersion,
})

/**
 * The three questions of a listener. GET /live: does the process turn? GET /ready: can it serve now? GET /health,
 * as documented: are the services up? A listener with several services is UP only when all are; ?service=NAME selects
 * one.
 */
export function healthRoutes(services: RestService[], host: State, draining: () => boolean): Router {
  const router = probeRoutes(services, host, draining)

  router.get('/health', async (request, response) => {
    const healthName = new URLSearchParams(request.url.split('?')[1] ?? '').get('service')
    const selectedServices =
      healthName === null ? services : services.filter(name => listeners[name].health === healthName)
    if (selectedServices.length === 0) {
      sendError(response, new NotFoundError('Service not found'), requestIdFrom(request))
      return
    }
    const healthStates = await Promise.all(
      selectedServices.map(name => host.healthy(listeners[name].owner as ServiceName)),
    )
    const healthy = healthStates.every(Boolean)
    const names = selectedServices.map(name => listeners[name].health)
    response.status(healthy ? 200 : 503).json(healthOf(names.join(','), healthy))
  })

  router.all(['/health', '/live', '/ready'], (request, response) => refuseVerb(request, response, ['GET']))
  return router
}

/**
 * GET /live and /ready. Without the broker a listener stays ready, because writes succeed and events wait in the
 * outbox; `checks.bus` tells.
 */
export function probeRoutes(services: RestService[], { bus, healthy }: State, draining: () => boolean): Router {
  const router = Router()
  const owners = [...new Set(services.map(name => listeners[name].owner as ServiceName))]

  router.get('/live', (_request, response) => void response.json({ live: true }))
  router.get('/ready', async (_request, response) => {
    const { connected, problem } = bus.status()
    const states = await Promise.all(owners.map(async owner => [owner, await healthy(owner)] as const))
    const ready = !draining() && states.every(([, isUp]) => isUp)
    const checks = { bus: connected && problem === '', ...Object.fromEntries(states) }
    response.status(ready ? 200 : 503).json({ ready, draining: draining(), checks })
  })
  return router
}
