import { Router } from 'express'
import { Dialect } from '../gen/platform/options/v1/options_pb.ts'
import { NotFoundError } from '../services/kernel/base/errors.ts'
import type { Host, ServiceName } from '../services/kernel/rpc/host.ts'
import type { RestService } from './catalogue.ts'
import { listeners } from './config.ts'
import { sendError } from './http/errors.ts'
import { requestIdOf } from './http/request-id.ts'
import { refuseVerb } from './rest/handler.ts'

/**
 * GET /health as documented, and GET /ready with the dependencies named. A listener with several services is UP only
 * when all are; ?service=NAME selects one [D1] [D100].
 */
export function healthRoutes(services: RestService[], host: Host, draining: () => boolean): Router {
  const router = Router()

  router.get('/health', async (request, response) => {
    const asked = new URLSearchParams(request.url.split('?')[1] ?? '').get('service')
    const chosen = asked === null ? services : services.filter(name => listeners[name].health === asked)
    if (chosen.length === 0) {
      sendError(response, new NotFoundError('Service not found'), Dialect.UNSPECIFIED, requestIdOf(request, response))
      return
    }
    const up = await Promise.all(chosen.map(name => host.healthy(listeners[name].owner as ServiceName)))
    const healthy = up.every(Boolean)
    response.status(healthy ? 200 : 503).json({
      status: healthy ? 'UP' : 'DOWN',
      service: chosen.map(name => listeners[name].health).join(','),
      timestamp: new Date().toISOString(),
    })
  })

  router.get('/ready', async (_request, response) => {
    const owners = [...new Set(services.map(name => listeners[name].owner as ServiceName))]
    const checks: Record<string, boolean> = { bus: host.bus.status().connected }
    for (const owner of owners) checks[owner] = await host.healthy(owner)
    const ready = !draining() && Object.values(checks).every(Boolean)
    response.status(ready ? 200 : 503).json({ ready, draining: draining(), checks })
  })

  router.all(['/health', '/ready'], (request, response) => refuseVerb(request, response, ['GET']))
  return router
}
