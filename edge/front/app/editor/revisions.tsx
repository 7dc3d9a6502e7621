import type { RevisionSummary } from '../../../../gen/client/news.ts'
import { useRights } from '../page/page-rights.ts'
import { useGrowingList, useLoad } from '../platform/load.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Dialog, openDialog } from '../ui/dialogs.tsx'
import { Loaded, notify } from '../ui/feedback.tsx'
import { confirmAction } from '../ui/form.tsx'
import { BackLink, useTitle } from '../ui/page.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { ShowMore } from '../ui/table.tsx'
import { Preview } from './preview.tsx'
import { Row } from './write-row.tsx'

/** Who changed the text of a page and when; each version can be read and restored. */
export function Revisions({ id }: { id: string }) {
  const t = useTexts('editor/revisions')
  const nameOf = useNameOf()
  useTitle(t.versions)
  const list = useGrowingList(`revisions/${id}`, (page, signal) =>
    platform.news.listRevisions({ pageId: id, page, limit: 20 }, { signal }),
  )
  const fieldNames: Record<string, string> = {
    title: t.title_,
    excerpt: t.excerpt,
    content: t.content,
    medias: t.medias,
  }
  const open = (revision: RevisionSummary, isCurrent: boolean) =>
    openDialog(close => (
      <RevisionDialog
        pageId={id}
        revision={revision}
        isCurrent={isCurrent}
        onClose={close}
        onRestore={async () => {
          close()
          const question = { title: t.confirm, text: t.confirmText, submit: t.restore }
          const isDone = await confirmAction(question, () =>
            platform.news.restoreRevision({ pageId: id, id: revision.id }),
          )
          if (!isDone) return open(revision, isCurrent)
          notify(t.restored)
          go(`/write/${id}`)
        }}
      />
    ))
  const changesOf = ({ changedFields }: RevisionSummary): string =>
    changedFields.flatMap(name => fieldNames[name] ?? []).join(', ')
  return (
    <div class="wide">
      <BackLink to={`/write/${id}`} text={t.back} />
      <h1>{t.versions}</h1>
      <Loaded load={list}>
        {rows => (
          <ol class="write-rows rows box" aria-label={t.list}>
            {rows.map((one, index) => {
              const time = dateAndTimeOf(one.createdAt ?? '')
              const changes = changesOf(one)
              const isCurrent = index === 0
              return (
                <Row
                  key={one.id}
                  picture={<Avatar person={one.createdBy} />}
                  title={one.title}
                  facts={
                    <>
                      <span>
                        {nameOf(one.createdBy)} {one.credentialId && t.byCredential}
                      </span>
                      <time dateTime={one.createdAt ?? ''}>{time}</time>
                      {changes && <span>{fill(t.changed, { fields: changes })}</span>}
                      {isCurrent && <span class="tag published">{t.current}</span>}
                    </>
                  }
                >
                  <Button class="small" aria-label={fill(t.lookAt, { time })} onClick={() => open(one, isCurrent)}>
                    {t.look}
                  </Button>
                </Row>
              )
            })}
          </ol>
        )}
      </Loaded>
      <ShowMore list={list} />
    </div>
  )
}

type RevisionDialogProps = {
  pageId: string
  revision: RevisionSummary
  isCurrent: boolean
  onClose: () => void
  onRestore: () => Promise<void>
}

function RevisionDialog({ pageId, revision, isCurrent, onClose, onRestore }: RevisionDialogProps) {
  const t = useTexts('editor/revisions')
  const rights = useRights()
  const { id, createdAt } = revision
  const load = useLoad(`revision/${id}`, signal => platform.news.getRevision({ pageId, id }, { signal }))
  return (
    <Dialog title={fill(t.version, { time: dateAndTimeOf(createdAt ?? '') })} size="large" onClose={onClose}>
      <Loaded load={load}>
        {({ title, excerpt, content, medias }) => (
          <Preview fields={{ title, excerpt: excerpt ?? '', content: content ?? {}, medias }} />
        )}
      </Loaded>
      {rights.edit && !isCurrent && (
        <footer>
          <Button variant="main" onClick={() => void onRestore()}>
            {t.restore}
          </Button>
        </footer>
      )}
    </Dialog>
  )
}
