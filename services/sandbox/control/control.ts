import { type Request, Router } from 'express'
import { z } from 'zod'
import type { ChatStore } from '../chat/store.ts'
import { type Faults, faultSchema } from '../faults.ts'
import type { PaymentStore } from '../payment/store.ts'
import { endTrial } from '../payment/subscriptions.ts'
import type { Webhooks } from '../payment/webhooks.ts'
import { bodyText, parseJson } from '../request-values.ts'
import { type ProviderName, providers, type SandboxState, waitForEntries } from '../state.ts'

type Parts = {
  state: SandboxState
  faults: Faults
  applications: ChatStore
  payment: PaymentStore
  webhooks: Webhooks
  objects: () => unknown[]
  /** Multipart uploads in progress. */
  uploads: () => unknown[]
}

const trialSchema = z.strictObject({
  subscription: z.string().max(100),
  status: z.enum(['active', 'past_due', 'unpaid', 'canceled', 'paused']).default('active'),
})

/** Routes for tests and the guided tour: recorded requests, faults, mails, pushes and the state of each provider. */
export function controlRoutes({ state, faults, applications, payment, webhooks, objects, uploads }: Parts): Router {
  const router = Router()

  router.get('/_requests', async (req, res) => {
    const provider = providerOf(req)
    if (provider === null) return void res.status(400).json(errorBody('provider', 'unknown provider'))
    const find = () => state.requests.items.filter(request => provider === undefined || request.provider === provider)
    res.json({ data: await waitForEntries(state, find, ...requestedWait(req)) })
  })
  router.delete('/_requests', (req, res) => {
    const provider = providerOf(req)
    if (provider === null) return void res.status(400).json(errorBody('provider', 'unknown provider'))
    state.requests.clear(request => provider !== undefined && request.provider !== provider)
    res.json({ data: [] })
  })

  router.get('/_control', (_req, res) => void res.json({ data: faults.list() }))
  router.post('/_control', (req, res) => {
    const result = readBody(req, faultSchema)
    if ('error' in result) return void res.status(400).json(result)
    const { mode, delayMs } = result.data
    faults.set({ ...result.data, delayMs: mode === 'delay' && delayMs === 0 ? 1000 : delayMs })
    res.json({ data: faults.list() })
  })
  router.post('/_control/trial', (req, res) => {
    const result = readBody(req, trialSchema)
    if ('error' in result) return void res.status(400).json(result)
    const subscription = payment.subscriptions.get(result.data.subscription)
    if (!subscription || subscription.status === 'canceled')
      return void res.status(404).json(errorBody('subscription', 'not found'))
    endTrial(subscription, result.data.status)
    webhooks.emit(`customer.subscription.${result.data.status === 'canceled' ? 'deleted' : 'updated'}`, subscription)
    state.changed()
    res.json({ data: subscription })
  })

  router.get('/_inbox', async (req, res) => {
    const to = textOf(req.query['to']).toLowerCase()
    const find = () => state.mails.items.filter(mail => !to || mail.to.some(address => address.toLowerCase() === to))
    res.json({ data: await waitForEntries(state, find, ...requestedWait(req)) })
  })
  router.get('/_pushes', async (req, res) => {
    const to = textOf(req.query['to'])
    const find = () => state.pushes.items.filter(push => !to || push.to.includes(to))
    res.json({ data: await waitForEntries(state, find, ...requestedWait(req)) })
  })

  const stateByProvider: Partial<Record<ProviderName, () => unknown>> = {
    chat: () => ({
      data: [...applications.values()].map(({ users: _u, channels: _c, messages: _m, ...rest }) => rest),
    }),
    payment: () => ({
      customers: [...payment.customers.values()].filter(customer => !customer.deleted),
      subscriptions: [...payment.subscriptions.values()].filter(subscription => subscription.status !== 'canceled'),
    }),
    storage: () => ({ data: objects(), uploads: uploads() }),
  }
  router.get('/_state/:provider', (req, res) => {
    const provider = providers.find(name => name === req.params.provider)
    const show = provider && stateByProvider[provider]
    if (!show) return void res.status(404).json(errorBody('provider', 'has no state'))
    res.json(show())
  })
  return router
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value.slice(0, 400) : '')

function providerOf(req: Request): ProviderName | undefined | null {
  const name = req.query['provider']
  return name === undefined ? undefined : (providers.find(provider => provider === name) ?? null)
}

// The query field `wait` (ms, up to 30 s) delays the response until `count` entries exist (default 1).
function requestedWait(req: Request): [count: number, waitMs: number] {
  const parseWhole = (value: unknown, max: number) =>
    /^\d{1,6}$/.test(textOf(value)) ? Math.min(max, Number(value)) : undefined
  const waitMs = parseWhole(req.query['wait'], 30_000) ?? 0
  return waitMs === 0 ? [0, 0] : [parseWhole(req.query['count'], 10_000) ?? 1, waitMs]
}

const errorBody = (path: string, message: string) => ({ error: [{ path, message }] })

// Accepts application/json only: another site's page can't send that without a CORS preflight.
function readBody<Schema extends z.ZodType>(
  req: Request,
  schema: Schema,
): { data: z.infer<Schema> } | ReturnType<typeof errorBody> {
  const body = req.is('application/json') ? parseJson(bodyText(req)) : undefined
  if (!body) return errorBody('', 'a JSON object with content type application/json is expected')
  const result = schema.safeParse(body)
  if (result.success) return { data: result.data }
  return {
    error: result.error.issues.slice(0, 20).map(issue => ({ path: issue.path.join('.'), message: issue.message })),
  }
}
