import type { Page, Poll } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import { platform } from '../platform/session.ts'
import { createStore, type Store } from '../platform/store.ts'
import { textsOf } from '../platform/texts.ts'
import { BlockedError } from '../ui/feedback.tsx'
import {
  bodyOf,
  differingFields,
  emptyFields,
  type Fields,
  fieldsOf,
  isBlank,
  isEqual,
  isReady,
  type PollInput,
  pollBodyOf,
  pollInputOf,
} from './fields.ts'

export type DraftState = {
  /** The page as last read from or saved to the platform; undefined before it was created. */
  page: Page | undefined
  fields: Fields
  /** `incomplete`: all is saved but the poll, which needs two different options. */
  status: 'saved' | 'unsaved' | 'saving' | 'incomplete' | 'failed' | 'conflict'
  error?: unknown
  /** In a conflict, the page as somebody else saved it. */
  otherPage?: Page
  poll: PollInput
  /** Whether members have voted: the options then stay. */
  hasVotes: boolean
  /** Counts versions that replaced the text, such as a restored revision. */
  replacedCount: number
}

/** Identifies the version that the editor saw, so that the route refuses an outdated change. */
type Versioned = { id: string; ifMatch: string }
type AnswerOptions = { onResponse: (response: Response) => void }

export type PageDraft = {
  state: Store<DraftState>
  change: (fields: Partial<Fields>) => void
  changePoll: (poll: Partial<PollInput>) => void
  /** Saves what has changed. @returns whether everything is saved */
  save: () => Promise<boolean>
  /** Saves, then calls another route that changes the page. Throws its refusal. */
  callWithVersion: (call: (input: Versioned, options: AnswerOptions) => Promise<Partial<Page>>) => Promise<void>
  /** Ends a conflict by overwriting the other version. */
  keepMine: () => Promise<boolean>
  /** Ends a conflict by discarding this draft. */
  takeTheirs: () => void
  /** Continues with a page that was read or written elsewhere. */
  take: (page: Page) => void
  /** Stops saving automatically and ignores changes. */
  close: () => void
  /** Accepts changes and saves automatically again, after `close`. */
  reopen: () => void
}

/** Pause in typing, in ms, after which a draft is saved. */
const pause = 1_500

/** Published pages aren't saved automatically: each save reaches the readers. */
export const savesItself = ({ page }: DraftState): boolean => page === undefined || page.status === 'draft'

/** An open page with its unsaved changes. */
export function openDraft(
  openedPage: Page | undefined,
  { workspaceId, poll }: { workspaceId: string; poll?: Poll | undefined },
): PageDraft {
  let savedPoll = pollInputOf(poll)
  const state = createStore<DraftState>({
    page: openedPage,
    fields: openedPage ? fieldsOf(openedPage) : emptyFields(),
    poll: savedPoll,
    hasVotes: (poll?.votersCount ?? 0) > 0,
    status: 'saved',
    replacedCount: 0,
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  let runningSave: Promise<boolean> | undefined
  let isClosed = false
  const set = (next: Partial<DraftState>) => state.set(now => ({ ...now, ...next }))
  const saveLater = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void save(), pause)
  }
  const edit = (changes: (now: DraftState) => Partial<DraftState>) => {
    if (isClosed) return
    state.set(now => ({
      ...now,
      ...changes(now),
      status: now.status === 'conflict' || now.status === 'saving' ? now.status : 'unsaved',
    }))
    if (savesItself(state.get())) saveLater()
  }
  /** The fields as they are saved: a page always has a title. */
  const savedFields = ({ fields }: DraftState): Fields => ({
    ...fields,
    title: fields.title.trim() || textsOf('editor/write').untitled,
  })

  const write = async (): Promise<boolean> => {
    // The platform may answer in another form, such as without a parent that the person can't see.
    let sentFields: Fields | undefined
    for (;;) {
      const now = state.get()
      const nextFields = savedFields(now)
      const { page } = now
      const changedNames = differingFields(sentFields ?? (page ? fieldsOf(page) : emptyFields()), nextFields)
      const hasNewPoll = nextFields.pageType === 'poll' && !isEqual(now.poll, savedPoll)
      if (page && changedNames.length === 0 && hasNewPoll) {
        if (!isReady(now.poll)) {
          set({ status: 'incomplete', error: undefined })
          return false
        }
        set({ status: 'saving', error: undefined })
        await platform.news.setPoll({ pageId: page.id, body: pollBodyOf(now.poll) })
        savedPoll = now.poll
        continue
      }
      if (page ? changedNames.length === 0 : isBlank(now)) {
        set({ status: 'saved', error: undefined })
        return true
      }
      set({ status: 'saving', error: undefined })
      const changes: Partial<Fields> = Object.fromEntries(changedNames.map(name => [name, nextFields[name]]))
      const { title, content } = nextFields
      const answer = page
        ? await platform.news.updatePage({ id: page.id, ifMatch: tagOf(page), body: bodyOf(changes) })
        : await platform.news.createPage({ body: { ...bodyOf(changes), workspaceId, title, content } })
      sentFields = nextFields
      set({ page: answer })
    }
  }

  /** Merges the other version when the two differ in separate fields; otherwise starts a conflict. */
  const mergeOtherVersion = async (id: string): Promise<boolean> => {
    const otherPage = await platform.news.getPage({ id, withoutView: true })
    const { page, fields } = state.get()
    if (!page) return false
    const base = fieldsOf(page)
    const ownNames = differingFields(base, fields)
    const otherFields = fieldsOf(otherPage)
    const hasSameFields = differingFields(base, otherFields).some(name => ownNames.includes(name))
    if (hasSameFields) {
      set({ status: 'conflict', otherPage })
      return false
    }
    const ownFields = Object.fromEntries(ownNames.map(name => [name, fields[name]]))
    state.set(now => ({
      ...now,
      page: otherPage,
      fields: { ...otherFields, ...ownFields },
      status: 'unsaved',
      replacedCount: now.replacedCount + 1,
    }))
    return true
  }

  const save = (): Promise<boolean> => {
    clearTimeout(timer)
    if (state.get().status === 'conflict') return Promise.resolve(false)
    runningSave ??= attempt().finally(() => {
      runningSave = undefined
    })
    return runningSave
  }
  const attempt = async (): Promise<boolean> => {
    try {
      return await write()
    } catch (error) {
      const { page } = state.get()
      const isStale = error instanceof PlatformError && error.status === 412
      if (!isStale || !page) {
        set({ status: 'failed', error })
        return false
      }
      try {
        if (!(await mergeOtherVersion(page.id))) return false
        if (savesItself(state.get())) return await write()
        set({ error })
        return false
      } catch (later) {
        set({ status: 'failed', error: later })
        return false
      }
    }
  }

  return {
    state,
    save,
    change: fields => edit(now => ({ fields: { ...now.fields, ...fields } })),
    changePoll: poll => edit(now => ({ poll: { ...now.poll, ...poll } })),
    async callWithVersion(call) {
      if (!(await save())) {
        const { status, error } = state.get()
        if (error) throw error
        const t = textsOf('editor/write')
        throw new BlockedError(status === 'incomplete' ? t.pollFirst : t.versionFirst)
      }
      const { page } = state.get()
      if (!page) return
      let { version } = page
      const onResponse = (response: Response) => {
        const tag = /\d+/.exec(response.headers.get('etag') ?? '')?.[0]
        if (tag) version = Number(tag)
      }
      try {
        const changes = await call({ id: page.id, ifMatch: tagOf(page) }, { onResponse })
        state.set(now => ({ ...now, page: { ...page, ...changes, version } }))
      } catch (error) {
        // Reloads the page, so that the next attempt sends its present version.
        if (error instanceof PlatformError && (error.status === 412 || error.status === 409))
          await mergeOtherVersion(page.id)
        throw error
      }
    },
    keepMine() {
      const { otherPage } = state.get()
      if (!otherPage) return save()
      set({ page: otherPage, otherPage: undefined, status: 'unsaved' })
      return save()
    },
    takeTheirs() {
      const { otherPage } = state.get()
      if (otherPage) this.take(otherPage)
    },
    take(page) {
      clearTimeout(timer)
      state.set(({ poll, hasVotes, replacedCount }) => ({
        page,
        poll,
        hasVotes,
        fields: fieldsOf(page),
        status: 'saved',
        replacedCount: replacedCount + 1,
      }))
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
    reopen() {
      isClosed = false
      if (savesItself(state.get())) saveLater()
    },
  }
}

const tagOf = ({ version }: Page): string => `"${version}"`
