import { z } from 'zod'
import { ExternalServiceError } from '../kernel/errors.ts'
import type { Provider } from '../kernel/provider.ts'
import { fromProvider } from './outside.ts'

/** Where all chat applications live (document 2, "Chat"). */
export const region = 'eu-1'

const what = 'The chat provider'
const unknownApplication = 400201

const application = z.object({
  app_id: z.string().min(1).max(100),
  app_name: z.string(),
  api_token: z.string().min(1),
  created_at: z.string(),
})
const page = z.object({ count: z.number(), results: z.array(application) })
const refusal = z.object({ code: z.number() })
const figure = z.number().int().nonnegative()
const figures = z.object({
  users_count: figure,
  channels_count: figure,
  messages_today: figure,
  active_users_today: figure,
})

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Application = z.infer<typeof application>
export type ChatProvider = ReturnType<typeof chatProvider>

/** The organisation API of the chat provider. Every failure is an ExternalServiceError. */
export function chatProvider(config: { CHAT_BASE_URL: string; CHAT_ORGANIZATION_TOKEN: string }, provider: Provider) {
  const base = config.CHAT_BASE_URL.replace(/\/+$/, '')

  /** The answer's body; undefined when the application does not exist. */
  async function call(operation: string, method: Method, path: string, body?: object): Promise<unknown> {
    const answer = await fromProvider(what, provider, {
      operation,
      // A second POST makes a second application: the provider knows no idempotency key.
      repeatable: method !== 'POST',
      url: `${base}/api/v2/applications${path}`,
      method,
      headers: {
        'content-type': 'application/json',
        SENDBIRDORGANIZATIONAPITOKEN: config.CHAT_ORGANIZATION_TOKEN,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (answer.status >= 200 && answer.status < 300) return answer.body
    const code = refusal.safeParse(answer.body)
    if (answer.status === 404 || (code.success && code.data.code === unknownApplication)) return undefined
    throw new ExternalServiceError(`${what} failed`, { cause: new Error(`${operation} answered ${answer.status}`) })
  }
  const read = <T>(schema: z.ZodType<T>, body: unknown): T => {
    const parsed = schema.safeParse(body)
    if (!parsed.success) throw new ExternalServiceError(`${what} failed`, { cause: parsed.error })
    return parsed.data
  }
  const at = (appId: string) => `/${encodeURIComponent(appId)}`

  return {
    async create(name: string): Promise<Application> {
      return read(application, await call('create', 'POST', '', { app_name: name, region_key: region }))
    },
    /** Every application of the organisation in our region. */
    async *all(): AsyncGenerator<Application> {
      for (let offset = 0; ; offset += 100) {
        const { results, count } = read(
          page,
          await call('list', 'GET', `?limit=100&offset=${offset}&region_key=${region}`),
        )
        yield* results
        if (offset + 100 >= count || results.length === 0) return
      }
    },
    /** Changes an application. @returns false when there is none */
    async change(appId: string, change: { app_name?: string; is_active?: boolean }): Promise<boolean> {
      return (await call('change', 'PUT', at(appId), change)) !== undefined
    },
    /** Deletes an application; none to delete is no error. */
    async remove(appId: string): Promise<void> {
      await call('delete', 'DELETE', at(appId))
    },
    /** Figures of an application; undefined when there is none. */
    async statistics(appId: string) {
      const body = await call('statistics', 'GET', `${at(appId)}/statistics`)
      return body === undefined ? undefined : read(figures, body)
    },
  }
}
