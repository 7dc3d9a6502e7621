import { useState } from 'preact/hooks'
import type { Page, PagePreference } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useFrames, useReload, useRoom } from '../platform/live.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { goBack, Link } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { EmptyPage, Loading, PageProblem, Problem } from '../ui/feedback.tsx'
import { Icon, type IconName } from '../ui/icon.tsx'
import { useTitle } from '../ui/page.tsx'
import { Blocks } from './blocks.tsx'
import { Comments } from './comments.tsx'
import { Attachments, Gallery } from './medias.tsx'
import { Acknowledgement, EventFacts, PageHead } from './page-head.tsx'
import { useRights } from './page-rights.ts'
import { PollCard } from './poll.tsx'
import { Reactions } from './reactions.tsx'
import { useReadingTime } from './reading-time.ts'

/** A page as everybody reads it. */
export function PageScreen({ id }: { id: string }) {
  const t = useTexts('page/page')
  const { mayChange } = useRights()
  const page = useLoad(`page/${id}`, signal => platform.news.getPage({ id }, { signal }))
  const { isGone, isChanged, show } = useLivePage(id, page)
  const isMissing = page.error instanceof PlatformError && [400, 403, 404, 410].includes(page.error.status)
  useTitle(isGone || isMissing ? t.gone : (page.value?.title ?? t.loading))
  useEnterWorkspace(page.value && (({ id }) => id === page.value?.workspaceId))
  useReadingTime(isGone || isMissing || !page.value ? undefined : id)
  if (isGone || isMissing)
    return (
      <EmptyPage icon="file" title={t.gone} text={t.goneText}>
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
        {mayChange(page.value) && (
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
      <div class="page-bar row wrap">
        {current.enableLikes && <Reactions page={page} />}
        <span class="hint">{fill(t.views, { count: current.viewCount })}</span>
        <PageToggles page={page} />
      </div>
      {current.children.length > 0 && (
        <nav class="children" aria-labelledby="children-title">
          <h2 id="children-title">{t.more}</h2>
          <ul class="stack tight">
            {current.children.map(child => (
              <li key={child.id}>
                <Link to={`/pages/${child.id}`} class="box row spread">
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

/**
 * Follows changes of the page while it is read. A changed page is shown only on request: the text doesn't move under
 * the reader's eyes, and each load counts as a view.
 */
function useLivePage(id: string, page: Load<Page>) {
  const [state, setState] = useState<{ id: string; isGone?: boolean; isChanged?: boolean }>({ id })
  const current = state.id === id ? state : { id }
  useRoom('joinPage', id)
  useReload(page.reload)
  useFrames('page.updated', (page: { id: string }) => page.id === id && setState({ id, isChanged: true }))
  useFrames('page.deleted', (page: { id: string }) => page.id === id && setState({ id, isGone: true }))
  useFrames('room:left', ({ room }: { room: string }) => room === `page:${id}` && setState({ id, isGone: true }))
  const show = () => {
    setState({ id })
    void page.reload()
  }
  return { isGone: current.isGone ?? false, isChanged: current.isChanged ?? false, show }
}

type Preference = keyof Pick<PagePreference, 'isFavorite' | 'isBookmarked' | 'isFollowing'>
const icons: Record<Preference, IconName> = { isFavorite: 'star', isBookmarked: 'bookmark', isFollowing: 'bell' }

/** Turns one preference on or off. Each has its own action, so that none waits for another. */
function useToggle(page: Load<Page>, preference: Preference) {
  return useAction(async () => {
    if (!page.value) return
    const body = { [preference]: !page.value.userInteractions?.[preference] }
    const updatedPreference = await platform.news.updatePagePreference({ pageId: page.value.id, body })
    page.change(({ userInteractions, ...rest }) => ({
      ...rest,
      userInteractions: userInteractions && { ...userInteractions, [preference]: updatedPreference[preference] },
    }))
  })
}

/** Buttons to favorite, bookmark and follow a page. */
function PageToggles({ page }: { page: Load<Page> }) {
  const t = useTexts('page/page-toggles')
  const interactions = page.value?.userInteractions
  const toggles = {
    isFavorite: useToggle(page, 'isFavorite'),
    isBookmarked: useToggle(page, 'isBookmarked'),
    isFollowing: useToggle(page, 'isFollowing'),
  }
  return (
    <>
      <div class="page-toggles" role="group" aria-label={t.group}>
        {(Object.keys(icons) as Preference[]).map(preference => (
          <button
            key={preference}
            type="button"
            class="icon-button"
            aria-label={t[preference]}
            title={t[preference]}
            aria-pressed={interactions?.[preference] ?? false}
            onClick={() => void toggles[preference].run()}
          >
            <Icon name={icons[preference]} />
          </button>
        ))}
      </div>
      <Problem error={toggles.isFavorite.error ?? toggles.isBookmarked.error ?? toggles.isFollowing.error} />
    </>
  )
}
