const pageSize = 20
/** How long after a change of one's own a frame about the same item may still be of before it, in ms. */
const sinceHere = 5_000
const inbox = '/api/v1/notifications'
const filters = { all: '', unread: '&isRead=false', archived: '&isArchived=true' }

/**
 * What the inbox knows, and what changes it: the member at this page, at once and taken back when the platform refuses,
 * and their other devices, over the socket.
 * @param call of the documented routes. @param changed told after every change. @param told what is worth a word
 */
export function createStore(call, changed, told) {
  const state = { tab: 'all', items: [], unread: 0, isLoading: false, isEnd: false, problem: undefined }
  let turn = 0
  /** Grows with everything that moves the count, so that an answer that was under way does not turn it back. */
  let moves = 0
  /** Changes that are on their way, one after the other: two of one item must not overtake each other. */
  const pending = new Set()
  let line = Promise.resolve()
  /** Whether a count came meanwhile, which may be of before them. */
  let isCountMissed = false
  /** When items were last changed here, by id. */
  const touched = new Map()
  /** The turn that is loading. */
  let busy
  let again

  const set = part => {
    Object.assign(state, part)
    changed(state)
  }
  const count = unread => {
    moves++
    set({ unread: Math.max(0, unread) })
  }
  const belongs = item => state.tab !== 'unread' || !item.isRead
  const find = id => state.items.find(item => item.id === id)

  /** A page as it is after all that was done here; what moves while it is read makes it be read again. */
  const fetchPage = async (page, tries = 3) => {
    const mine = turn
    await Promise.allSettled(pending)
    const before = moves
    const answer = await call('GET', `${inbox}?page=${page}&limit=${pageSize}${filters[state.tab]}`)
    if (mine !== turn) return undefined
    if (before !== moves) return tries > 1 ? fetchPage(page, tries - 1) : answer
    state.unread = answer.meta.unread
    return answer
  }

  /** Runs a load; what goes wrong is shown, and tried again when the platform said when. */
  const load = async act => {
    clearTimeout(again)
    const mine = (busy = turn)
    let problem
    try {
      await act()
    } catch (error) {
      problem = { kind: error.kind ?? 'failed', seconds: error.seconds ?? 0 }
    }
    if (mine !== turn) return
    busy = undefined
    if (problem?.seconds) again = setTimeout(() => store.refresh(), problem.seconds * 1e3)
    set({ isLoading: false, problem })
  }

  const isLast = ({ data, meta }) => data.length === 0 || meta.page >= meta.totalPages

  const open = (tab = state.tab) => {
    turn++
    set({ tab, items: [], isEnd: false, isLoading: true, problem: undefined })
    return load(async () => {
      const answer = await fetchPage(1)
      if (answer) Object.assign(state, { items: answer.data, isEnd: isLast(answer) })
    })
  }

  /** The next page. What went meanwhile moves the pages up, so it is asked for by what is here and still belongs here. */
  const more = () => {
    if (busy === turn || state.isEnd || state.problem) return
    set({ isLoading: true })
    return load(async () => {
      const answer = await fetchPage(Math.floor(state.items.filter(belongs).length / pageSize) + 1)
      if (!answer) return
      const known = new Set(state.items.map(item => item.id))
      state.items = [...state.items, ...answer.data.filter(item => !known.has(item.id))]
      state.isEnd = isLast(answer)
    })
  }

  /** Reads the first page anew and keeps what lies below it. */
  const refresh = () => {
    if (state.items.length === 0) return open()
    turn++
    return load(async () => {
      const answer = await fetchPage(1)
      if (!answer) return
      const known = new Set(answer.data.map(item => item.id))
      const last = answer.data.at(-1)?.createdAt ?? ''
      const below = state.items.filter(item => !known.has(item.id) && (item.createdAt < last || !belongs(item)))
      const all = [...answer.data, ...(isLast(answer) ? below.filter(item => !belongs(item)) : below)]
      state.items = all.toSorted((a, b) => (a.createdAt < b.createdAt ? 1 : a.createdAt > b.createdAt ? -1 : 0))
      if (isLast(answer)) state.isEnd = true
    })
  }

  /** Shows a change at once, and takes it back when it is refused. */
  const change = async (method, path, apply, undo) => {
    apply()
    const sent = line.then(() => call(method, `${inbox}/${path}`))
    line = sent.catch(() => undefined)
    pending.add(sent)
    try {
      return await sent
    } catch (error) {
      undo()
      told({ problem: error.kind ?? 'failed' })
      return undefined
    } finally {
      pending.delete(sent)
      if (pending.size === 0 && isCountMissed) {
        isCountMissed = false
        void store.poll()
      }
    }
  }
  const setRead = (item, isRead) => {
    if (item.isRead === isRead) return
    item.isRead = isRead
    touched.set(item.id, Date.now())
    if (state.tab !== 'archived') count(state.unread + (isRead ? -1 : 1))
    else set({})
  }

  const store = {
    state,
    open,
    more,
    refresh,
    read(item, isRead) {
      const before = item.isRead
      const act = () => setRead(item, isRead)
      return change('PATCH', `${item.id}/${isRead ? 'read' : 'unread'}`, act, () => setRead(item, before))
    },
    click: item =>
      change(
        'PATCH',
        `${item.id}/click`,
        () => setRead(item, true),
        () => undefined,
      ),
    readAll() {
      const [were, unread] = [state.items.filter(item => !item.isRead), state.unread]
      const put = isRead => were.forEach(item => Object.assign(item, { isRead }))
      return change(
        'POST',
        'read-all',
        () => (put(true), count(0)),
        () => (put(false), count(unread)),
      )
    },
    /** Takes an item out of the tab that is shown: into the archive, or out of it. */
    move(item) {
      const isOut = state.tab === 'archived'
      const at = state.items.indexOf(item)
      const step = item.isRead ? 0 : isOut ? 1 : -1
      const put = way => {
        const rest = state.items.filter(one => one.id !== item.id)
        state.items = way > 0 ? rest : rest.toSpliced(at, 0, item)
        count(state.unread + way * step)
      }
      const [method, path] = isOut ? ['PATCH', `${item.id}/unarchive`] : ['DELETE', item.id]
      return change(
        method,
        path,
        () => put(1),
        () => put(-1),
      )
    },
    /** Undoes a move. @param from the tab that it was moved out of */
    async moveBack(item, from) {
      const [method, path] = from === 'archived' ? ['DELETE', item.id] : ['PATCH', `${item.id}/unarchive`]
      await change(
        method,
        path,
        () => undefined,
        () => undefined,
      )
      await refresh()
    },
    /** A frame of the socket. */
    arrived(item) {
      if (find(item.id)) return
      moves++
      if (state.tab !== 'archived') set({ items: [{ ...item, actor: null, isRead: false }, ...state.items] })
    },
    counted(unread) {
      if (pending.size > 0) isCountMissed = true
      else count(unread)
    },
    readElsewhere({ id, unread }) {
      // Several were read, and some are left: the platform knows which.
      if (id === null && unread > 0) return refresh()
      const item = id === null ? undefined : find(id)
      // Perhaps it was read here, and is unread again since: the platform knows.
      if (item && !item.isRead && Date.now() - (touched.get(id) ?? 0) < sinceHere) return refresh()
      if (pending.size > 0) isCountMissed = true
      for (const one of state.items) if (id === null || one.id === id) one.isRead = true
      if (pending.size > 0) set({})
      else count(unread)
    },
    /** Reads the count. @returns whether the platform gave it */
    async poll() {
      const before = moves
      const answer = await call('GET', `${inbox}/unread-count`).catch(() => undefined)
      if (answer && before === moves) set({ unread: answer.count })
      return answer !== undefined
    },
    end() {
      turn++
      clearTimeout(again)
    },
  }
  return store
}
