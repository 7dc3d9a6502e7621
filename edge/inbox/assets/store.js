const pageSize = 20
/** How long after a local change a frame about the same item may still predate it, in ms. */
const sinceHere = 5_000
const inbox = '/api/v1/notifications'
const filters = { all: '', unread: '&isRead=false', archived: '&isArchived=true' }

/**
 * The inbox's data and its changes: by the member at this page, shown at once and reverted when the platform refuses,
 * and by the member's other devices, over the socket.
 * @param call of the documented routes.
 * @param changed called after every change.
 * @param onProblem called with messages for the user
 */
export function createStore(call, changed, onProblem) {
  const state = { tab: 'all', items: [], unread: 0, isLoading: false, isEnd: false, problem: undefined, language: '' }
  let turn = 0
  /** Incremented by every change of the count, so that an answer in flight doesn't overwrite it. */
  let moves = 0
  /** Changes in flight, one after another: two of one item must not overtake each other. */
  const pending = new Set()
  let line = Promise.resolve()
  /** Whether a count arrived during changes, which may predate them. */
  let isCountMissed = false
  /** When items were last changed here, by id. */
  const touched = new Map()
  /** The current load. */
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

  /** Reads a page that includes all local changes; it is read again when a change happens meanwhile. */
  const fetchPage = async (page, tries = 3) => {
    const mine = turn
    await Promise.allSettled(pending)
    const before = moves
    const language = state.language && `&language=${state.language}`
    const answer = await call('GET', `${inbox}?page=${page}&limit=${pageSize}${filters[state.tab]}${language}`)
    if (mine !== turn) return undefined
    if (before !== moves) return tries > 1 ? fetchPage(page, tries - 1) : answer
    state.unread = answer.meta.unread
    return answer
  }

  /** Runs a load. An error is shown, and retried when the platform has set a time. */
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

  /** The next page. Items removed meanwhile shift the pages, so its number is computed from the items still here. */
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

  /** Reloads the first page and keeps what lies below it. */
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

  /** Shows a change at once, and reverts it when it is refused. */
  const change = async (method, path, apply, undo) => {
    apply()
    const sent = line.then(() => call(method, `${inbox}/${path}`))
    line = sent.catch(() => undefined)
    pending.add(sent)
    try {
      return await sent
    } catch (error) {
      undo()
      onProblem({ problem: error.kind ?? 'failed' })
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
    /** Moves an item out of the current tab: into the archive, or out of it. */
    move(item) {
      const { tab } = state
      const isOut = tab === 'archived'
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
        () => (state.tab === tab ? put(-1) : void refresh()),
      )
    },
    /**
     * Undoes a move.
     * @param from the tab that it was moved out of
     */
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
    /** Applies a frame of the socket. */
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
      // Some were read and others remain: only the platform knows which.
      if (id === null && unread > 0) return refresh()
      const item = id === null ? undefined : find(id)
      // It may have been read here and be unread again since: only the platform knows.
      if (item && !item.isRead && Date.now() - (touched.get(id) ?? 0) < sinceHere) return refresh()
      if (pending.size > 0) isCountMissed = true
      for (const one of state.items) if (id === null || one.id === id) one.isRead = true
      if (pending.size > 0) set({})
      else count(unread)
    },
    /**
     * Reads the count.
     * @returns whether the platform answered
     */
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
