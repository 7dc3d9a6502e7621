import { useCallback, useState } from 'preact/hooks'
import type { Page } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import { missedFrames, useFrames, useRoom } from '../platform/live.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { type MemberContext, useMemberContext } from '../platform/member-context.ts'
import { useReloadOn } from '../platform/reload.ts'
import { goBack, Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { EmptyPage, Loading, PageProblem } from '../ui/feedback.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/title.ts'
import { Blocks } from './blocks.tsx'
import { Comments } from './comments.tsx'
import { Attachments, Gallery } from './medias.tsx'
import { Acknowledgement } from './must-read.tsx'
import { EventFacts, PageHead } from './page-head.tsx'
import { PageToggles } from './page-toggles.tsx'
import { PollCard } from './poll.tsx'
import { Reactions } from './reactions.tsx'
import { useReadingTime } from './reading-time.ts'

/** A page as everybody reads it. */
export function PageScreen({ id }: { id: string }) {
  const t = useTexts('page/page')
  const context = useMemberContext()
  const page = useLoad(`page/${id}`, signal => platform.news.getPage({ id }, { signal }))
  const { isGone, isChanged, show } = useLivePage(id, page)
  const isMissing = page.error instanceof PlatformError && [400, 403, 404, 410].includes(page.error.status)
  useTitle(isGone || isMissing ? t.gone : (page.value?.title ?? t.loading))
  useEnterWorkspace(page.value && (({ id }) => id === page.value?.workspaceId))
  useReadingTime(isGone || isMissing || !page.value ? undefined : id)
  if (isGone || isMissing)
    return (
      <EmptyPage icon="file" title={t.gone}>
        <p>{t.goneText}</p>
        <Link to="/" class="button main">
          {t.toNews}
        </Link>
      </EmptyPage>
    )
  if (!page.value)
    return page.error ? <PageProblem error={page.error} onRetry={() => void page.reload()} /> : <Loading />
  return (
    <article class="page">
      <p class="page-top">
        <Button variant="quiet" class="small" icon="back" onClick={() => goBack('/')}>
          {t.back}
        </Button>
        {mayEdit(context, page.value) && (
          <Link to={`/write/${id}`} class="button small">
            <Icon name="pen" />
            <span>{t.edit}</span>
          </Link>
        )}
      </p>
      {isChanged && (
        <p class="note" role="status">
          <span>{t.changed}</span>
          <Button class="small" onClick={show}>
            {t.show}
          </Button>
        </p>
      )}
      <PageText page={page} />
    </article>
  )
}

function PageText({ page }: { page: Load<Page> }) {
  const t = useTexts('page/page')
  const current = page.value
  if (!current) return null
  return (
    <>
      <PageHead page={current} />
      <EventFacts page={current} />
      <Gallery medias={current.medias} />
      <Blocks content={current.content} />
      <Attachments medias={current.medias} />
      {current.pageType === 'poll' && <PollCard pageId={current.id} />}
      {current.isMustRead && <Acknowledgement page={page} />}
      <div class="page-bar">
        {current.enableLikes && <Reactions page={page} />}
        <span class="hint">{fill(t.views, { count: current.viewCount })}</span>
        <PageToggles page={page} />
      </div>
      {current.children.length > 0 && (
        <nav class="children" aria-labelledby="children-title">
          <h2 id="children-title">{t.more}</h2>
          <ul>
            {current.children.map(child => (
              <li key={child.id}>
                <Link to={`/pages/${child.id}`}>
                  <span dir="auto">{child.title}</span>
                  <Icon name="next" />
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      )}
      <Comments page={current} />
    </>
  )
}

const mayEdit = ({ may, memberId }: MemberContext, { status, createdBy, scheduledAt }: Page): boolean => {
  if (may('edit_content')) return true
  const isOwnDraft = status === 'draft' && may('create_content') && createdBy?.id === memberId
  return isOwnDraft && (!scheduledAt || may('publish_content'))
}

/**
 * Follows changes of the page while it is read. A changed page is shown only on request: the text doesn't move under
 * the reader's eyes, and each load counts as a view.
 */
function useLivePage(id: string, page: Load<Page>) {
  const [state, setState] = useState<{ id: string; isGone?: boolean; isChanged?: boolean }>({ id })
  const current = state.id === id ? state : { id }
  useRoom('joinPage', id)
  useReloadOn(missedFrames, page.reload)
  useFrames(
    'page.updated',
    useCallback((page: { id: string }) => page.id === id && setState({ id, isChanged: true }), [id]),
  )
  useFrames(
    'page.deleted',
    useCallback((page: { id: string }) => page.id === id && setState({ id, isGone: true }), [id]),
  )
  useFrames(
    'room:left',
    useCallback(({ room }: { room: string }) => room === `page:${id}` && setState({ id, isGone: true }), [id]),
  )
  const show = () => {
    setState({ id })
    void page.reload()
  }
  return { isGone: current.isGone ?? false, isChanged: current.isChanged ?? false, show }
}
