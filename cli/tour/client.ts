import type { RestService } from '../../gen/catalogue.ts'

export type Urls = Record<RestService, string>
export type RouteAnswer = { status: number; headers: Headers; body: LooseJson }
/** Parsed JSON, read by people who know what they asked for. */
// biome-ignore lint: answers are read by path
export type LooseJson = { [key: string]: LooseJson } & LooseJson[] & string & number

export type Call = { token?: string | undefined; key?: string; body?: unknown; headers?: Record<string, string> }

/** One request to a documented route. Never throws on a status; the caller checks it. */
export async function call(
  urls: Urls,
  service: RestService,
  method: string,
  path: string,
  options: Call = {},
): Promise<RouteAnswer> {
  const { token, key, body, headers = {} } = options
  const response = await fetch(urls[service] + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(key ? { 'x-api-key': key } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: (text ? JSON.parse(text) : null) as LooseJson }
}

/** Signs out. */
export const endSession = (urls: Urls, token: string): Promise<RouteAnswer> =>
  call(urls, 'auth', 'POST', '/auth/logout', { token, body: {} })

/** Mails in the sandbox's inbox for an address, once there are `count`. */
export async function mailsTo(sandboxUrl: string, address: string, count = 1, waitMs = 15_000): Promise<LooseJson[]> {
  const query = new URLSearchParams({ to: address, wait: String(waitMs), count: String(count) })
  const response = await fetch(`${sandboxUrl}/_inbox?${query}`)
  return ((await response.json()) as { data: LooseJson[] }).data
}

/** The token in the newest invitation mail of an address. */
export async function invitationToken(sandboxUrl: string, address: string, count = 1): Promise<string> {
  const mails = await mailsTo(sandboxUrl, address, count)
  const links = mails.map(mail => /\/invitation\?token=([A-Za-z0-9_-]+)/.exec(`${mail['text']} ${mail['html']}`)?.[1])
  const token = links.findLast(Boolean)
  if (!token) throw new Error(`no invitation link in the mails to ${address}`)
  return token
}
