import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Page, Poll } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import type { BlockEditorProps } from '../block-editor/block-editor.tsx'
import { useRights } from '../page/page-rights.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { rename } from '../platform/router.tsx'
import { platform, session } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { useEnterWorkspace } from '../ui/entering.ts'
import { EmptyPage, Loading, PageProblem } from '../ui/feedback.tsx'
import { useTitle } from '../ui/page.tsx'
import { openDraft, type PageDraft } from './draft.ts'
import { Editor } from './editor.tsx'
import { isBlank } from './fields.ts'

/** The draft that was open when the session ended. Its author continues it after signing in again [D440]. */
let interruptedDraft: { memberId: string; draft: PageDraft } | undefined

/** The person's interrupted draft, if it is of this page. Another person's is discarded. */
function takeInterrupted(memberId: string, id: string): PageDraft | undefined {
  if (interruptedDraft?.memberId !== memberId) interruptedDraft = undefined
  const draft = interruptedDraft?.draft
  if (!draft || (draft.state.get().page?.id ?? 'new') !== id) return undefined
  interruptedDraft = undefined
  draft.reopen()
  return draft
}

/** The editor of one page. `new` creates a page when its first words are typed. */
export function Write({ id }: { id: string }) {
  const t = useTexts('editor/write')
  const rights = useRights()
  const { memberId, workspace } = useMemberContext()
  const workspaceId = workspace.id
  const [draft, setDraft] = useState<PageDraft>()
  const [error, setError] = useState<unknown>()
  const [attempt, setAttempt] = useState(0)
  const [BlockEditor, setBlockEditor] = useState<FunctionComponent<BlockEditorProps>>()
  // The text stays when the right to write is revoked meanwhile.
  const isWriting = draft && (id !== 'new' || !isBlank(draft.state.get()))
  const isForbidden = !rights.create && !rights.edit && !isWriting
  const page = draft?.state.get().page
  useEnterWorkspace(page && (one => one.id === page.workspaceId))
  useTitle(isForbidden ? t.forbidden : t.write)

  useEffect(() => {
    // The page of a new draft gets its address while it is written.
    if (draft && draft.state.get().page?.id === id) return
    setDraft(undefined)
    setError(undefined)
    const interruptedDraft = takeInterrupted(memberId, id)
    if (interruptedDraft) return setDraft(interruptedDraft)
    if (id === 'new') return setDraft(openDraft(undefined, { workspaceId }))
    const abort = new AbortController()
    loadForEditing(id, abort.signal).then(
      ({ page, poll }) => setDraft(openDraft(page, { workspaceId: page.workspaceId, poll })),
      (thrown: unknown) => abort.signal.aborted || setError(thrown),
    )
    return () => abort.abort()
  }, [id, attempt])

  // Only those who write load its code.
  useEffect(() => {
    import('../block-editor/block-editor.tsx').then(module => setBlockEditor(() => module.BlockEditor), setError)
  }, [attempt])

  useEffect(() => {
    if (!draft) return
    const stop = draft.state.subscribe(({ page }) => {
      if (id === 'new' && page) rename(`/write/${page.id}`)
    })
    return stop
  }, [draft, id])
  useEffect(() => {
    if (!draft) return
    return () => {
      draft.close()
      if (session.get().kind === 'ended' && draft.state.get().status !== 'saved') interruptedDraft = { memberId, draft }
    }
  }, [draft, memberId])

  if (isForbidden) return <EmptyPage icon="pen" title={t.forbidden} text={t.forbiddenText} />
  if (error !== undefined) return <PageProblem error={error} onRetry={() => setAttempt(attempt + 1)} />
  if (!draft || !BlockEditor) return <Loading />
  return <Editor draft={draft} rights={rights} BlockEditor={BlockEditor} />
}

/** A page, with its poll if it has one. */
async function loadForEditing(id: string, signal: AbortSignal): Promise<{ page: Page; poll: Poll | undefined }> {
  const page = await platform.news.getPage({ id, withoutView: true }, { signal })
  if (page.pageType !== 'poll') return { page, poll: undefined }
  const poll = await platform.news.getPoll({ pageId: id }, { signal }).catch((error: unknown) => {
    if (error instanceof PlatformError && error.status === 404) return undefined
    throw error
  })
  return { page, poll }
}
