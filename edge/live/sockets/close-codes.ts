/**
 * Why the server closes a socket, and what a client should do. Reconnecting means after a random pause of 1 to 30 s
 * that grows with each try; rooms must be joined again.
 */
export const closeCodes = {
  goingAway: { code: 1001, reason: 'going away', client: 'Reconnect: the process is being replaced.' },
  policy: { code: 1008, reason: 'policy violation', client: 'Fix the client before reconnecting.' },
  tooBig: {
    code: 1009,
    reason: 'message too big',
    client: 'Reconnect, and keep messages under 4 KiB; only some kinds may be larger.',
  },
  overloaded: {
    code: 1013,
    reason: 'try again later',
    client: 'Reconnect after some seconds, then after growing pauses up to a minute.',
  },
  unauthorized: { code: 4401, reason: 'token refused', client: 'Reconnect with a fresh access token.' },
  forbidden: { code: 4403, reason: 'no member', client: 'Do not reconnect: the account has no access.' },
  tooSlow: { code: 4408, reason: 'too slow', client: 'Reconnect: frames were lost, so reload the state over REST.' },
  tooMany: {
    code: 4429,
    reason: 'too many',
    client: 'Close other sockets or send fewer frames, then reconnect as after 1013.',
  },
} as const

export type CloseCause = keyof typeof closeCodes
