import { randomBytes, randomUUID } from 'node:crypto'
import { type Response, Router } from 'express'
import { bodyText, boundedInteger, isText, type JsonFields, keyAccepted, parseJson, toText } from '../request-values.ts'
import type { SandboxState } from '../state.ts'
import { chatAppRoutes } from './app.ts'
import { type ChatApplication, type ChatStore, chatError, nameTaken } from './store.ts'

const region = { region_key: 'eu-1', region_name: 'Frankfurt, Germany' }
const maxApplications = 20_000
const nameTakenError: [code: number, message: string] = [400202, '"app_name" violates unique constraint.']

/**
 * The chat provider, shaped like Sendbird: the organisation API under /api/v2 (header SENDBIRDORGANIZATIONAPITOKEN) and
 * each application's API under /apps/{app_id}/v3 (header Api-Token). Sendbird publishes no route to rename or
 * deactivate; PUT stands in for both.
 */
export function chatRoutes(state: SandboxState, store: ChatStore): Router {
  const router = Router()
  const organisation = Router()
  organisation.use((req, res, next) => {
    const token = req.headers['sendbirdorganizationapitoken']
    if (keyAccepted(typeof token === 'string' ? token : undefined)) return next()
    chatError(res, 401, 400401, 'Invalid value: "SENDBIRDORGANIZATIONAPITOKEN".')
  })

  organisation.post('/applications', (req, res) => {
    const body = parseJson(bodyText(req))
    const fault = nameFault(body, true)
    if (!body || fault) return chatError(res, 400, ...(fault ?? [400111, 'Invalid value.']))
    if (body['region_key'] !== region.region_key) return chatError(res, 400, 400111, 'Invalid value: "region_key".')
    if (store.size >= maxApplications) return chatError(res, 400, 400113, 'The organization has too many applications.')
    if (nameTaken(store, toText(body['app_name']))) return chatError(res, 400, ...nameTakenError)
    const application: ChatApplication = {
      app_id: randomUUID().toUpperCase(),
      app_name: toText(body['app_name']),
      api_token: randomBytes(20).toString('hex'),
      region,
      created_at: `${new Date().toISOString().slice(0, 19)}Z`,
      is_active: true,
      users: {},
      channels: {},
      messages: [],
      deleted: [],
    }
    store.set(application.app_id, application)
    state.changed()
    res.json(toApplicationJson(application))
  })

  organisation.get('/applications', (req, res) => {
    const limit = boundedInteger(req.query['limit'], 10, 1, 100)
    const offset = boundedInteger(req.query['offset'], 0, 0, maxApplications)
    const results = [...store.values()].slice(offset, offset + limit).map(toApplicationJson)
    res.json({ count: store.size, results })
  })

  organisation.param('id', (_req, res, next, id: string) => {
    const application = store.get(id)
    if (!application) return chatError(res, 400, 400201, `"Application" not found.`)
    res.locals['application'] = application
    next()
  })
  const applicationOf = (res: Response) => res.locals['application'] as ChatApplication

  organisation.get('/applications/:id', (_req, res) => void res.json(toApplicationJson(applicationOf(res))))
  organisation.put('/applications/:id', (req, res) => {
    const body = parseJson(bodyText(req))
    const fault = nameFault(body, false)
    if (!body || fault) return chatError(res, 400, ...(fault ?? [400111, 'Invalid value.']))
    const active = body['is_active']
    if (active !== undefined && typeof active !== 'boolean')
      return chatError(res, 400, 400104, '"is_active" must be a boolean.')
    const application = applicationOf(res)
    if (nameTaken(store, toText(body['app_name']), application.app_id)) return chatError(res, 400, ...nameTakenError)
    if (body['app_name'] !== undefined) application.app_name = toText(body['app_name'])
    if (active !== undefined) application.is_active = active
    state.changed()
    res.json(toApplicationJson(application))
  })
  organisation.delete('/applications/:id', (_req, res) => {
    store.delete(applicationOf(res).app_id)
    state.changed()
    res.json({})
  })

  return router.use('/api/v2', organisation).use('/apps/:app', chatAppRoutes(state, store))
}

function nameFault(body: JsonFields | undefined, isRequired: boolean): [code: number, message: string] | undefined {
  if (!body) return [400111, 'Invalid value: the body must be a JSON object.']
  const name = body['app_name']
  if (name === undefined) return isRequired ? [400105, 'Missing required parameter: "app_name".'] : undefined
  if (typeof name !== 'string') return [400100, '"app_name" must be a string.']
  return isText(name.trim(), 255) ? undefined : [400110, 'Invalid length: "app_name".']
}

const toApplicationJson = ({ app_id, app_name, api_token, region, created_at, is_active }: ChatApplication) => ({
  app_id,
  app_name,
  api_token,
  region,
  created_at,
  is_active,
})
