import { z } from 'zod'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import type { Provider } from '../../kernel/provider/provider.ts'
import { fromProvider } from './calls.ts'

/** Region of all chat applications. */
export const region = 'eu-1'

const providerName = 'The chat provider'
const unknownApplication = 400201
const nameIsTaken = 400202

const listedApplication = z.object({
  app_id: z.string(),
  app_name: z.string(),
  api_token: z.string(),
  created_at: z.string(),
})
/** An application with a usable id and token. */
const application = listedApplication.extend({
  app_id: z.string().regex(/^[!-~]{1,100}$/),
  api_token: z.string().regex(/^[!-~]+$/),
})
const page = z.object({ count: z.number(), results: z.array(listedApplication) })
const refusal = z.object({ code: z.number() })
const figure = z.number().int().nonnegative()
const dailyActiveUsers = z.object({ dau: figure })
const metrics = z.object({ statistics: z.array(z.object({ value: figure })), next: z.string().nullish() })

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Call = { method: Method; url: string; headers: Record<string, string>; body?: object }
type Answer = { body: unknown } | 'missing' | 'taken'
/** An application with its own token. */
type Access = { appId: string; token: string }
export type Application = z.infer<typeof application>
export type ChatProvider = ReturnType<typeof chatProvider>

/**
 * The organisation API of the chat provider, and the statistics API of its applications. Every failure is an
 * ExternalServiceError.
 */
export function chatProvider(config: { CHAT_BASE_URL: string; CHAT_ORGANIZATION_TOKEN: string }, provider: Provider) {
  const base = config.CHAT_BASE_URL.replace(/\/+$/, '')

  async function call(operation: string, { method, url, headers, body }: Call): Promise<Answer> {
    const answer = await fromProvider(providerName, provider, {
      operation,
      // A second POST creates a second application: the provider supports no idempotency key.
      isRepeatable: method !== 'POST',
      url,
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.status >= 200 && answer.status < 300) return { body: answer.body }
    const { data } = refusal.safeParse(answer.body)
    // 405: the provider publishes no route for changes.
    if (answer.status === 404 || answer.status === 405 || data?.code === unknownApplication) return 'missing'
    if (data?.code === nameIsTaken) return 'taken'
    throw new ExternalServiceError(`${providerName} failed`, {
      cause: new Error(`${operation} answered ${answer.status}`),
    })
  }
  const organisation = (operation: string, method: Method, path: string, body?: object): Promise<Answer> =>
    call(operation, {
      method,
      url: `${base}/api/v2/applications${path}`,
      headers: { SENDBIRDORGANIZATIONAPITOKEN: config.CHAT_ORGANIZATION_TOKEN },
      ...(body && { body }),
    })
  const read = <T>(schema: z.ZodType<T>, answer: Answer): T => {
    const parseResult = schema.safeParse(typeof answer === 'string' ? undefined : answer.body)
    if (!parseResult.success) throw new ExternalServiceError(`${providerName} failed`, { cause: parseResult.error })
    return parseResult.data
  }
  const pathOf = (appId: string) => `/${encodeURIComponent(appId)}`

  /** A response of an application; undefined when it no longer exists. */
  const ofApplication = async <T>(
    { appId, token }: Access,
    schema: z.ZodType<T>,
    path: string,
  ): Promise<T | undefined> => {
    const url = `${applicationUrl(base, appId)}/v3${path}`
    const answer = await call('statistics', { method: 'GET', url, headers: { 'Api-Token': token } })
    return answer === 'missing' ? undefined : read(schema, answer)
  }
  async function total(access: Access, metric: string, from: Date, to: Date): Promise<number> {
    const range = { ...dayOf('start', from), ...dayOf('end', to) }
    let sum = 0
    for (let token: string | null | undefined = undefined; token !== ''; ) {
      const query = new URLSearchParams({
        metric_type: metric,
        time_dimension: 'daily',
        ...range,
        ...(token && { token }),
      })
      const metricPage: z.infer<typeof metrics> | undefined = await ofApplication(
        access,
        metrics,
        `/statistics/metric?${query}`,
      )
      for (const { value } of metricPage?.statistics ?? []) sum += value
      token = metricPage?.next ?? ''
    }
    return sum
  }

  return {
    /** Creates an application; undefined when another one has the name, ignoring case. */
    async create(name: string): Promise<Application | undefined> {
      const answer = await organisation('create', 'POST', '', { app_name: name, region_key: region })
      return answer === 'taken' ? undefined : read(application, answer)
    },
    /** An application by its id; undefined when it no longer exists. */
    async find(appId: string): Promise<Application | undefined> {
      const answer = await organisation('view', 'GET', pathOf(appId))
      return answer === 'missing' ? undefined : read(application, answer)
    },
    /** Every application of the organisation in our region that may be one of ours. */
    async *all(): AsyncGenerator<Application> {
      for (let offset = 0; ; offset += 100) {
        const { results, count } = read(
          page,
          await organisation('list', 'GET', `?limit=100&offset=${offset}&region_key=${region}`),
        )
        yield* results.filter(one => application.safeParse(one).success)
        if (offset + 100 >= count || results.length === 0) return
      }
    },
    /** Changes an application: whether it was done, is missing, or the name is taken. */
    async change(
      appId: string,
      change: { app_name?: string; is_active?: boolean },
    ): Promise<'changed' | 'missing' | 'taken'> {
      const answer = await organisation('change', 'PUT', pathOf(appId), change)
      return typeof answer === 'string' ? answer : 'changed'
    },
    /** Deletes an application; a missing one is no error. */
    async remove(appId: string): Promise<void> {
      await organisation('delete', 'DELETE', pathOf(appId))
    },
    /** Statistics of an application created at `madeAt`, up to today in UTC; undefined when it is missing. */
    async statistics(access: Access, madeAt: Date) {
      const now = new Date()
      const [active, messages, channels, createdUsers, deletedUsers] = await Promise.all([
        ofApplication(access, dailyActiveUsers, '/applications/dau'),
        total(access, 'messages', now, now),
        total(access, 'created_channels', madeAt, now),
        total(access, 'created_users', madeAt, now),
        total(access, 'deleted_users', madeAt, now),
      ])
      if (!active) return undefined
      return {
        users_count: Math.max(0, createdUsers - deletedUsers),
        channels_count: channels,
        messages_today: messages,
        active_users_today: active.dau,
      }
    },
  }
}

/** At the provider each application has its own host; elsewhere it is a path below the organisation's URL. */
function applicationUrl(base: string, appId: string): string {
  const { protocol, hostname } = new URL(base)
  return hostname === 'gate.sendbird.com'
    ? `${protocol}//api-${encodeURIComponent(appId)}.sendbird.com`
    : `${base}/apps/${encodeURIComponent(appId)}`
}

const dayOf = (end: 'start' | 'end', date: Date): Record<string, string> => ({
  [`${end}_year`]: String(date.getUTCFullYear()),
  [`${end}_month`]: String(date.getUTCMonth() + 1),
  [`${end}_day`]: String(date.getUTCDate()),
})
