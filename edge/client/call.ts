/** Options of one call. */
export type CallOptions = {
  /** Aborts the call, its waits included. */
  signal?: AbortSignal
  /** Key under which a creating call can be retried without creating twice; generated per call by default. */
  idempotencyKey?: string
  /** Receives the response of each try, for headers such as ETag or X-Request-Id. */
  onResponse?: (response: Response) => void
}

/** An operation's form on the wire. */
export type ClientRoute = {
  verb: string
  /** Path with its parameters in braces, as in the OpenAPI document. */
  path: string
  query: readonly string[]
  body: 'none' | 'json' | 'form'
  answer: 'json' | 'stream'
  /** Whether a repetition has the same effect as one call. */
  isRepeatable: boolean
  /** Whether it takes an Idempotency-Key. */
  keyed: boolean
  /** Whether the operation is public: a 401 then concerns the input, such as a password, not the access token. */
  open: boolean
}

export type ClientRoutes<Operations> = { readonly [name in keyof Operations]: ClientRoute }

/** A call's input: parameters by name, the body as `body`. */
export type Input = Record<string, unknown>

/**
 * A request for fetch, without credentials.
 * @throws TypeError when a path parameter is missing
 */
export function requestOf(
  route: ClientRoute,
  input: Input,
  key: string | undefined,
): { path: string; init: RequestInit } {
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input[name]
    if (value === undefined || value === null || value === '') throw new TypeError(`${name} is missing`)
    return encodeURIComponent(textOf(value))
  })
  const query = new URLSearchParams()
  for (const name of route.query) {
    const value = input[name]
    for (const one of Array.isArray(value) ? value : [value])
      if (one !== undefined && one !== null) query.append(name, textOf(one))
  }
  const headers: Record<string, string> = {}
  if (route.body === 'json') headers['content-type'] = 'application/json'
  if (key) headers['idempotency-key'] = key
  if (typeof input['ifMatch'] === 'string') headers['if-match'] = input['ifMatch']
  const init: RequestInit = { method: route.verb, headers }
  if (route.body === 'json') init.body = JSON.stringify(input['body'] ?? {})
  if (route.body === 'form') init.body = formOf(input['body'] as Input)
  return { path: query.size > 0 ? `${path}?${query}` : path, init }
}

/** Fields before files, so that a streaming server knows a file's destination before its bytes. */
function formOf(body: Input): FormData {
  const form = new FormData()
  const entries = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of entries) if (!(value instanceof Blob)) form.append(name, textOf(value))
  for (const [name, value] of entries) if (value instanceof Blob) form.append(name, value)
  return form
}

/** Parameters are texts, numbers and booleans. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
