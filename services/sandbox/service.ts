import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express'
import helmet from 'helmet'
import { ConfigError, type Environment, readSetting } from '../kernel/process/config.ts'
import type { Log } from '../kernel/process/log.ts'
import { isProduction } from '../kernel/process/mode.ts'
import { chatRoutes } from './chat/chat.ts'
import type { ChatStore } from './chat/store.ts'
import { controlRoutes } from './control/control.ts'
import { keepSnapshot } from './control/snapshot.ts'
import { emailRoutes } from './email/email.ts'
import { startSmtp } from './email/smtp.ts'
import { envelopeOf, errorRoutes } from './error-tracker.ts'
import { createFaults, playFaults } from './faults.ts'
import { pageRoutes } from './page/page.ts'
import { paymentRoutes } from './payment/payment.ts'
import { createPaymentStore } from './payment/store.ts'
import { createWebhooks } from './payment/webhooks.ts'
import { providerError, sendProviderError } from './provider-errors.ts'
import { fcmRoutes } from './push/fcm.ts'
import { onesignalRoutes } from './push/onesignal.ts'
import { readEncrypted, webPushRoutes } from './push/web-push.ts'
import { bodyText, parseForm, parseJson } from './request-values.ts'
import { createState, type ProviderName, type SandboxState } from './state.ts'
import { createObjectStore } from './storage/objects.ts'
import { storageRoutes } from './storage/storage.ts'
import { weatherRoutes } from './weather.ts'

export type SandboxOptions = {
  /** 0 picks a free port. */
  port: number
  /** SMTP port; a free one by default. */
  smtpPort?: number
  /** The address to bind; loopback by default. */
  host?: string
  /** Address for the links it prints; by default the bound address. */
  publicUrl?: string
  /** Folder for its state; in memory only by default. */
  dataDir?: string
  log: Log
  env: Environment
}

type Sandbox = { url: string; smtpUrl: string; close: () => Promise<void> }

/**
 * Starts the local stand-ins of all outside providers on one port, and their mail server on another. Throws ConfigError
 * in production, because nothing sent here reaches anyone.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const { env, log, host = '127.0.0.1' } = options
  if (isProduction(env)) {
    throw new ConfigError(
      'the sandbox replaces external providers and must not run in production: change NODE_ENV, or remove the sandbox and set the addresses and keys of the providers',
    )
  }
  const shutdown = new AbortController()
  const state = createState()
  const faults = createFaults()
  const applications: ChatStore = new Map()
  const store = createObjectStore()
  const payment = createPaymentStore()
  const snapshot = options.dataDir ? keepSnapshot(options.dataDir, state, applications, payment, log) : undefined
  const webhooks = createWebhooks(webhookTarget(env), log, shutdown.signal)

  const app = express().disable('x-powered-by').set('etag', false).set('query parser', 'simple')
  app.use(helmet({ contentSecurityPolicy: false, strictTransportSecurity: false }))
  app.use(ownHosts(options.publicUrl))
  const serve = (provider: ProviderName, path: string, router: Router, limit = '3mb') =>
    mount(app, log, provider, path, limit, [
      record(state, provider),
      playFaults(provider, faults, shutdown.signal, status => providerError(provider, status)),
      router,
    ])
  const setting = (name: string) => readSetting(env, 'SANDBOX', name)
  serve('email', '/email', emailRoutes(state))
  serve('onesignal', '/onesignal', onesignalRoutes(state))
  serve(
    'fcm',
    '/fcm',
    fcmRoutes(state, {
      projectId: setting('FCM_PROJECT_ID'),
      clientEmail: setting('FCM_CLIENT_EMAIL'),
      privateKey: setting('FCM_PRIVATE_KEY'),
    }),
  )
  app.use('/webpush', readEncrypted)
  serve('webpush', '/webpush', webPushRoutes(state))
  serve('chat', '/chat', chatRoutes(state, applications))
  serve('payment', '/v1', paymentRoutes({ store: payment, webhooks, state }))
  serve('weather', '/weather', weatherRoutes())
  serve('errors', '/errors', errorRoutes())
  serve('storage', '/storage', storageRoutes(store), '256mb')
  const objects = () => [...store.objects].map(([path, object]) => ({ path, size: object.size, type: object.type }))
  const uploads = () => [...store.uploads.values()].map(({ path, parts }) => ({ path, parts: parts.size }))
  app.use(express.raw({ type: () => true, limit: '100kb' }))
  app.get(
    '/health',
    (_req, res) => void res.json({ status: 'UP', service: 'sandbox', timestamp: new Date().toISOString() }),
  )
  app.use(controlRoutes({ state, faults, applications, payment, webhooks, objects, uploads }))
  app.use(pageRoutes(state))
  app.use((_req, res) => void res.status(404).json({ error: [{ path: '', message: 'not found' }] }))
  app.use(onError(log, status => ({ error: [{ path: '', message: providerWords(status) }] })))

  const server = createServer({ headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 }, app)
  server.listen(options.port, host)
  await once(server, 'listening')
  const smtp = await startSmtp(options.smtpPort ?? 0, host, { state, faults, log, closing: shutdown.signal }).catch(
    error => {
      server.close()
      throw error
    },
  )
  const reach = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
  const url = options.publicUrl || `http://${reach}:${(server.address() as AddressInfo).port}`
  log.info({ url, smtp: smtp.port }, 'sandbox is ready')

  async function close() {
    shutdown.abort()
    const serverClosed = new Promise<void>(resolve => server.close(() => resolve()))
    server.closeIdleConnections()
    const closeTimer = setTimeout(() => server.closeAllConnections(), 1000)
    await Promise.all([serverClosed, smtp.close()])
    clearTimeout(closeTimer)
    snapshot?.save()
  }
  return { url, smtpUrl: `smtp://${reach}:${smtp.port}`, close }
}

/**
 * Answers only to host names of this machine, or of SANDBOX_PUBLIC_URL: otherwise a website could point its own name
 * here (DNS rebinding) and read every mail.
 */
function ownHosts(publicUrl: string | undefined): RequestHandler {
  const publicHost = publicUrl !== undefined && URL.canParse(publicUrl) ? new URL(publicUrl).host : undefined
  return ({ headers: { host = '' } }, res, next) => {
    if (/^(127(\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?$/i.test(host) || host.toLowerCase() === publicHost)
      return next()
    res.status(421).json({ error: [{ path: 'Host', message: 'is not a name of this machine' }] })
  }
}

function mount(
  app: Express,
  log: Log,
  provider: ProviderName,
  path: string,
  limit: string,
  handlers: (RequestHandler | Router)[],
) {
  const body = express.raw({ type: () => true, limit })
  app.use(path, body, ...handlers)
  app.use(path, (_req, res) => sendProviderError(res, 404, providerError(provider, 404)))
  app.use(
    path,
    onError(log, status => providerError(provider, status)),
  )
}

/** Unreadable requests get their own status; any other error is ours and logged. */
function onError(log: Log, body: (status: number) => unknown): ErrorRequestHandler {
  return (error: Error & { status?: number }, _req, res, next) => {
    const status = error.status ?? (error instanceof URIError ? 400 : 500)
    if (status >= 500) log.error({ reason: error.message }, 'sandbox request failed')
    if (res.headersSent) return next(error)
    sendProviderError(res, status, body(status))
  }
}

const providerWords = (status: number): string =>
  status === 413 ? 'the body is too large' : status < 500 ? 'the request cannot be read' : 'the sandbox failed'

function record(state: SandboxState, provider: ProviderName): RequestHandler {
  return (req, _res, next) => {
    state.requests.add({
      receivedAt: new Date().toISOString(),
      provider,
      method: req.method,
      path: req.originalUrl.slice(0, 2000),
      body: toRecordable(req),
    })
    next()
  }
}

function toRecordable(req: express.Request): unknown {
  if (!Buffer.isBuffer(req.body) || req.body.length === 0) return null
  if (req.body.length > 1_000_000) return { bytes: req.body.length }
  if (req.is('application/x-www-form-urlencoded')) return parseForm(bodyText(req)) ?? null
  if (req.is('application/x-sentry-envelope')) return envelopeOf(req.body)
  if (req.is('application/octet-stream')) return { base64url: req.body.toString('base64url') }
  return parseJson(bodyText(req)) ?? bodyText(req).slice(0, 2000)
}

function webhookTarget(env: Environment) {
  const url = readSetting(env, 'SANDBOX', 'STRIPE_WEBHOOK_TARGET')
  if (!url) return undefined
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new ConfigError('STRIPE_WEBHOOK_TARGET: must be an address http://… or https://…')
  const secret = readSetting(env, 'SANDBOX', 'PAYMENT_WEBHOOK_SECRET')
  if (!secret) throw new ConfigError('PAYMENT_WEBHOOK_SECRET: is required when STRIPE_WEBHOOK_TARGET is set')
  return { url, secret }
}
