/** What a caller may say about one call. */
export type CallOptions = {
  /** Ends the call, its waits included. */
  signal?: AbortSignal
  /** Key under which a creating call may be sent again without creating twice; made anew for each call when absent. */
  idempotencyKey?: string
  /** Sees the answer of each try: for its headers, such as ETag or X-Request-Id. */
  onResponse?: (response: Response) => void
}

/** How an operation looks on the wire. */
export type Route = {
  verb: string
  /** Path with its parameters in braces, as in the OpenAPI document. */
  path: string
  query: readonly string[]
  body: 'none' | 'json' | 'form'
  answer: 'json' | 'stream'
  /** Sending it twice is the same as sending it once. */
  repeatable: boolean
  /** It takes an Idempotency-Key. */
  keyed: boolean
  /** Anybody may call it: a 401 speaks of what was sent, such as a password, and not of the access token. */
  open: boolean
}

export type Routes<Operations> = { readonly [name in keyof Operations]: Route }

/** What a call was given: parameters by name, the body as `body`. */
export type Input = Record<string, unknown>

/** A request as fetch takes it, without credentials. @throws TypeError on a parameter that the path needs and the input lacks */
export function requestOf(route: Route, input: Input, key: string | undefined): { path: string; init: RequestInit } {
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
  if (route.keyed && key) headers['idempotency-key'] = key
  if (typeof input['ifMatch'] === 'string') headers['if-match'] = input['ifMatch']
  const init: RequestInit = { method: route.verb, headers }
  if (route.body === 'json') init.body = JSON.stringify(input['body'] ?? {})
  if (route.body === 'form') init.body = formOf(input['body'] as Input)
  return { path: query.size > 0 ? `${path}?${query}` : path, init }
}

/** Fields before files, so that a server that streams knows where a file belongs when its bytes come. */
function formOf(body: Input): FormData {
  const form = new FormData()
  const entries = Object.entries(body).filter(([, value]) => value !== undefined && value !== null)
  for (const [name, value] of entries) if (!(value instanceof Blob)) form.append(name, textOf(value))
  for (const [name, value] of entries) if (value instanceof Blob) form.append(name, value)
  return form
}

/** Parameters are texts, numbers and switches. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
