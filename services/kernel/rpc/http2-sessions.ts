import { constants, type Http2Session, type ServerHttp2Stream } from 'node:http2'

/** After this time, in ms, clients open another session: only then do they look up the addresses of new processes. */
const maxSessionMs = 300_000

/** Serving until its GOAWAY; from then on it refuses new streams, until the client closes it. */
type SessionState = { lastStreamId: number; isRefusing: boolean }

/** The HTTP/2 sessions of a server. */
export function http2Sessions() {
  const states = new Map<Http2Session, SessionState>()
  /**
   * Running streams complete, clients retry later ones elsewhere, and then close the connection. If the server closed
   * it, a request on its way would make the kernel reset it, and the client might not see the GOAWAY.
   */
  const sendGoawayTo = (session: Http2Session): void => {
    const state = states.get(session)
    if (!state || state.isRefusing || session.destroyed) return
    state.isRefusing = true
    session.goaway(constants.NGHTTP2_NO_ERROR, state.lastStreamId)
  }
  return {
    add(session: Http2Session): void {
      states.set(session, { lastStreamId: 0, isRefusing: false })
      const ageTimer = setTimeout(sendGoawayTo, maxSessionMs, session).unref()
      session.once('close', () => {
        clearTimeout(ageTimer)
        states.delete(session)
      })
    },
    /** Whether to answer a stream; refuses one that began after its session's GOAWAY. */
    admits(stream: ServerHttp2Stream): boolean {
      const state = stream.session && states.get(stream.session)
      if (state?.isRefusing) stream.close(constants.NGHTTP2_REFUSED_STREAM)
      else if (state) state.lastStreamId = stream.id ?? 0
      return !state?.isRefusing
    },
    /** Asks the clients of all present sessions to leave. */
    sendGoaway(): void {
      for (const session of states.keys()) sendGoawayTo(session)
    },
    /** Closes sessions that clients keep in spite of the GOAWAY, each after its running streams. */
    close(): void {
      for (const session of states.keys()) session.close()
    },
  }
}
