/**
 * The platform's sockets in a browser: connects, authenticates and joins rooms. After every interruption it reconnects
 * with a random pause, rejoins and receives what it missed. See docs/guides/realtime.md and client.d.ts.
 */
const second = 1e3
const longestPause = 30 * second
/** Close codes after which it doesn't reconnect, and those after which it waits longer. */
const final = [1008, 4403]
const crowded = [1013, 4429]

export function connect({ url, token, on, gap, state, invisible, pingMs = 25 * second, refreshMs = 600 * second }) {
  const listeners = new Map()
  const joins = new Map()
  const pendingAsks = new Map()
  const seenOffsets = new Set()
  let socket
  let timers = []
  let lastOffset
  let tries = 0
  let count = 0
  let isOver = false
  let mustRenew = false
  let retry

  // The page's errors are reported as browsers report them, and don't affect other listeners.
  const notify = (listener, ...values) => {
    try {
      listener?.(...values)
    } catch (error) {
      ;(globalThis.reportError ?? console.error)(error)
    }
  }

  const every = (ms, act) => timers.push(setInterval(() => act(), ms))

  const ask = (event, data, offset) =>
    new Promise((resolve, reject) => {
      if (socket?.readyState !== 1) return reject(new Error('not connected'))
      const id = ++count
      pendingAsks.set(id, { resolve, reject })
      socket.send(JSON.stringify({ event, data, id, offset }))
    })

  // A room that is entered later than asked for may have missed frames from before. Presence is listed with each join.
  const enter = async join => {
    const { event, data } = join
    const isListed = event === 'joinPresence'
    const offset = isListed ? undefined : join.offset
    const answer = await ask(event, data === undefined ? await token(mustRenew) : data, offset)
    join.isIn = true
    join.rooms = answer.rooms
    if (join.isLate && !isListed && !answer.recovered) notify(gap, event, data)
    join.isLate = false
    return answer
  }

  const refuse = ({ wants }, error) => {
    for (const { refused } of wants) notify(refused, error)
  }

  // Retries the join of a room that the server couldn't decide, with growing pauses, while it is wanted.
  const tryJoin = (join, pause = second) =>
    enter(join)
      .then(({ refused }) => {
        if (refused) refuse(join, Object.assign(new Error('Rooms refused'), { statusCode: 403, refused }))
      })
      .catch(error => {
        if (!error.statusCode) return
        refuse(join, error)
        if (error.statusCode < 500) return
        join.isLate = true
        const again = () => [...joins.values()].includes(join) && tryJoin(join, Math.min(longestPause, 2 * pause))
        timers.push(setTimeout(again, pause * (0.5 + Math.random() / 2)))
      })

  // The server answers in order, so each room is caught up before new frames arrive.
  const begin = async () => {
    try {
      await enter(ownJoin)
      tries = 0
      mustRenew = false
      const all = [...joins.values()]
      await Promise.all(all.map(join => tryJoin(join)))
      if (ownJoin.isIn) notify(state, 'open')
    } catch {
      // The server closes a socket that it refuses; one that it can't authenticate is closed here.
      if (socket?.readyState === 1) socket.close()
    }
  }

  const take = text => {
    const frame = JSON.parse(text)
    const { event, data, id, offset, recovered } = frame
    if (!recovered) lastOffset = offset || (event === 'ack' && data.offset) || lastOffset
    if (offset) {
      // A frame of two rooms can be missed in only one of them.
      if (seenOffsets.has(offset)) return
      seenOffsets.add(offset)
      if (seenOffsets.size > 2e3) seenOffsets.delete(seenOffsets.values().next().value)
    }
    const answer = pendingAsks.get(id)
    pendingAsks.delete(id)
    if (event === 'ack') return answer?.resolve(data)
    if (answer) return answer.reject(Object.assign(new Error(data.message), data))
    notify(on, event, data, frame)
    for (const listener of listeners.get(event) ?? []) notify(listener, data, frame)
  }

  const open = () => {
    if (isOver) return
    notify(state, 'connecting')
    const thisSocket = (socket = new WebSocket(url + (invisible ? '?presence=invisible' : '')))
    let lastFrameAt = Date.now()
    socket.onopen = begin
    socket.onmessage = ({ data }) => {
      lastFrameAt = Date.now()
      take(data)
    }
    const lost = ({ code, reason }) => {
      if (thisSocket !== socket) return
      socket = undefined
      timers.forEach(clearInterval)
      timers = []
      for (const join of [ownJoin, ...joins.values()]) {
        if (join.isIn) join.offset = lastOffset
        join.isIn = false
        join.isLate = true
      }
      for (const { reject } of pendingAsks.values()) reject(new Error('connection lost'))
      pendingAsks.clear()
      if (isOver || final.includes(code)) {
        end()
        return notify(state, 'closed', code, reason)
      }
      mustRenew = code === 4401
      const pause = Math.min(longestPause, second * 2 ** tries++)
      notify(state, 'waiting', code, reason)
      // A refused token is retried once at once with a fresh one.
      const isAtOnce = mustRenew && tries === 1
      // For 3 s, sockets on a killed process count as the member's.
      const long = Math.min(longestPause, 4 * pause) * (1 + Math.random())
      const ms = crowded.includes(code) ? long : pause * (0.5 + Math.random() / 2)
      retry = setTimeout(open, isAtOnce ? 0 : ms)
    }
    socket.onclose = lost
    every(pingMs, () => {
      ask('ping').catch(() => {})
      if (Date.now() - lastFrameAt < 2 * pingMs) return
      thisSocket.close()
      lost({ code: 1006, reason: 'silent' })
    })
    every(refreshMs, () => live.refresh().catch(() => {}))
  }

  // The pause would go on after the device is back online. Programs outside of browsers have no such event.
  const onOnline = () => {
    if (socket) return
    clearTimeout(retry)
    open()
  }

  const end = () => {
    isOver = true
    clearTimeout(retry)
    globalThis.removeEventListener?.('online', onOnline)
  }

  const ownJoin = { event: 'auth' }
  const live = {
    on(event, listener) {
      const all = listeners.get(event) ?? new Set()
      listeners.set(event, all.add(listener))
      return () => all.delete(listener)
    },
    // Joins of the same room by several parts of a page share one join; the last one leaves it.
    join(event, data, refused) {
      const key = JSON.stringify([event, data])
      const join = joins.get(key) ?? { event, data, wants: new Set(), isLate: tries > 0 }
      const want = { refused }
      join.wants.add(want)
      joins.set(key, join)
      if (ownJoin.isIn && !join.isIn) void tryJoin(join)
      return () => {
        if (!join.wants.delete(want) || join.wants.size) return
        joins.delete(key)
        if (!ownJoin.isIn) return
        const counterpart = event.replace(/^join/, 'leave').replace(/^subscribeTo/, 'unsubscribeFrom')
        const offset = lastOffset
        // The server leaves the rooms at once; other joins that share some of them join again.
        const rejoin = ({ rooms }) => {
          for (const other of joins.values())
            if (other.isIn && other.rooms?.some(room => rooms.includes(room)))
              void tryJoin(Object.assign(other, { offset, isIn: false, isLate: true }))
        }
        ask(counterpart, data).then(rejoin, () => {})
      }
    },
    send: ask,
    refresh: async () => ask('auth', await token(true)),
    close() {
      end()
      if (socket) socket.close(1000)
      else notify(state, 'closed', 1000, '')
    },
  }
  globalThis.addEventListener?.('online', onOnline)
  open()
  return live
}
