import { Router } from 'express'

/** An error tracker, shaped like Sentry's envelope endpoint; recorded envelopes are at `/_requests?provider=errors`. */
export function errorRoutes(): Router {
  const router = Router()
  router.post('/api/:project/envelope/', (req, res) => {
    const key = /sentry_key=(\w+)/.exec(String(req.headers['x-sentry-auth'] ?? ''))?.[1]
    if (!key || /^(wrong|invalid)/.test(key)) {
      res.status(401).json({ detail: 'bad sentry DSN public key' })
      return
    }
    const [head] = envelopeOf(req.body)
    if (!head?.['event_id']) {
      res.status(400).json({ detail: 'invalid event envelope' })
      return
    }
    res.json({ id: head['event_id'] })
  })
  return router
}

/** The lines of an envelope, each parsed as JSON; empty for any other body. */
export function envelopeOf(body: unknown): Record<string, unknown>[] {
  try {
    const lines = String(body).split('\n').filter(Boolean)
    return lines.map(line => JSON.parse(line) as Record<string, unknown>)
  } catch {
    return []
  }
}
