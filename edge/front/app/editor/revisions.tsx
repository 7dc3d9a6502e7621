import { useState } from 'preact/hooks'
import type { Revision, RevisionSummary } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useGrowingList } from '../platform/growing-list.ts'
import { useLoad } from '../platform/load.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button } from '../ui/controls.tsx'
import { Confirm, Dialog } from '../ui/dialogs.tsx'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { ShowMore } from '../ui/pager.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { useTitle } from '../ui/title.ts'
import { Preview } from './preview.tsx'
import { useRights } from './rights.ts'

/** Who changed the text of a page and when; each version can be read and restored. */
export function Revisions({ id }: { id: string }) {
  const t = useTexts('editor/revisions')
  const nameOf = useNameOf()
  const [openedRevision, setOpenedRevision] = useState<RevisionSummary>()
  useTitle(t.versions)
  const list = useGrowingList(`revisions/${id}`, (page, signal) =>
    platform.news.listRevisions({ pageId: id, page, limit: 20 }, { signal }),
  )
  const { rows, error } = list
  const fieldNames: Record<string, string> = {
    title: t.title_,
    excerpt: t.excerpt,
    content: t.content,
    medias: t.medias,
  }
  const changesOf = ({ changedFields }: RevisionSummary): string =>
    changedFields.flatMap(name => fieldNames[name] ?? []).join(', ')
  return (
    <div class="wide">
      <BackLink to={`/write/${id}`} text={t.back} />
      <h1>{t.versions}</h1>
      <Problem error={error} onRetry={() => void list.reload()} />
      {!rows && !error && <Loading />}
      <ol class="write-rows" aria-label={t.list}>
        {rows?.map((one, index) => {
          const time = dateAndTimeOf(one.createdAt ?? '')
          const changes = changesOf(one)
          return (
            <li class="write-row" key={one.id}>
              <Avatar person={one.createdBy} />
              <div>
                <p class="row-title" dir="auto">
                  {one.title}
                </p>
                <p class="row-facts">
                  <span>
                    {nameOf(one.createdBy)} {one.credentialId && t.byCredential}
                  </span>
                  <time dateTime={one.createdAt ?? ''}>{time}</time>
                  {changes && <span>{fill(t.changed, { fields: changes })}</span>}
                  {index === 0 && <span class="tag published">{t.current}</span>}
                </p>
              </div>
              <Button class="small" aria-label={fill(t.lookAt, { time })} onClick={() => setOpenedRevision(one)}>
                {t.look}
              </Button>
            </li>
          )
        })}
      </ol>
      <ShowMore list={list} />
      {openedRevision && (
        <RevisionDialog
          pageId={id}
          revision={openedRevision}
          isCurrent={openedRevision.id === rows?.[0]?.id}
          onClose={() => setOpenedRevision(undefined)}
        />
      )}
    </div>
  )
}

type RevisionDialogProps = { pageId: string; revision: RevisionSummary; isCurrent: boolean; onClose: () => void }

function RevisionDialog({ pageId, revision, isCurrent, onClose }: RevisionDialogProps) {
  const t = useTexts('editor/revisions')
  const rights = useRights()
  const [isAsked, setAsked] = useState(false)
  const { id, createdAt } = revision
  const { value, error, isLoading } = useLoad<Revision>(`revision/${id}`, signal =>
    platform.news.getRevision({ pageId, id }, { signal }),
  )
  const restore = useAction(async () => {
    await platform.news.restoreRevision({ pageId, id })
    notify(t.restored)
    go(`/write/${pageId}`)
  })
  if (isAsked)
    return (
      <Confirm
        title={t.confirm}
        text={t.confirmText}
        submit={t.restore}
        action={restore}
        onClose={() => setAsked(false)}
      />
    )
  return (
    <Dialog title={fill(t.version, { time: dateAndTimeOf(createdAt ?? '') })} size="large" onClose={onClose}>
      <Problem error={error} />
      {!value && isLoading && <Loading />}
      {value && (
        <Preview
          fields={{
            title: value.title,
            excerpt: value.excerpt ?? '',
            content: value.content ?? {},
            medias: value.medias,
          }}
        />
      )}
      {rights.edit && !isCurrent && (
        <footer>
          <Button variant="main" onClick={() => setAsked(true)}>
            {t.restore}
          </Button>
        </footer>
      )}
    </Dialog>
  )
}
