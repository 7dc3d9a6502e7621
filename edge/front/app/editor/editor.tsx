import type { FunctionComponent } from 'preact'
import { useEffect, useLayoutEffect, useState } from 'preact/hooks'
import type { Page } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import type { BlockEditorProps } from '../block-editor/block-editor.tsx'
import type { PageRights } from '../page/page-rights.ts'
import { askBeforeLeaving } from '../platform/router.tsx'
import { loadSession } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, TextArea } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { Problem } from '../ui/feedback.tsx'
import { BackLink } from '../ui/page.tsx'
import { type PageDraft, savesItself } from './draft.ts'
import { type Fields, fieldsOf } from './fields.ts'
import { Options } from './options.tsx'
import { Preview } from './preview.tsx'
import { Publishing } from './publishing.tsx'
import { SaveState } from './save-state.tsx'

type EditorProps = { draft: PageDraft; rights: PageRights; BlockEditor: FunctionComponent<BlockEditorProps> }

/** Writes one page: title, summary, content, options, and what happens to it. */
export function Editor({ draft, rights, BlockEditor }: EditorProps) {
  const t = useTexts('editor/editor')
  const state = useStore(draft.state)
  const [isPreview, setPreview] = useState(false)
  const { page, fields, error } = state
  const mayChange = rights.mayChange(page)
  const isDenied = error instanceof PlatformError && error.status === 403
  useEffect(() => {
    // Reloads the permissions, so that only allowed actions are shown.
    if (isDenied) void loadSession().catch(() => undefined)
  }, [isDenied])
  const isShown = isPreview || (!mayChange && !isDenied)

  return (
    <article class="wide">
      <header class="editor-head row wrap tight">
        <BackLink to="/write" text={t.all} />
        <SaveState state={state} />
        <Button class="small" icon={isPreview ? 'pen' : 'eye'} onClick={() => setPreview(!isPreview)}>
          {isPreview ? t.edit : t.preview}
        </Button>
        <Publishing draft={draft} rights={rights} />
      </header>
      <h1 class="unseen">{fields.title || t.newPage}</h1>
      <Problem
        error={state.status === 'failed' ? error : undefined}
        statusTexts={{ 403: t.forbidden, 404: t.gone }}
        {...(isDenied ? {} : { onRetry: () => void draft.save() })}
      />
      {state.otherPage && <Conflict draft={draft} otherVersion={state.otherPage} fields={fields} />}
      {!mayChange && !isDenied && page && <p class="note">{t.readOnly}</p>}
      {isShown ? (
        <Preview fields={fields} poll={state.poll} />
      ) : (
        <div class="editor-columns">
          <section class="editor-text" key={state.replacedCount}>
            <div class="editor-title">
              <textarea
                rows={1}
                dir="auto"
                aria-label={t.title}
                placeholder={t.title}
                maxLength={255}
                value={fields.title}
                onInput={event => draft.change({ title: event.currentTarget.value.replace(/\n/g, ' ') })}
                onKeyDown={event => {
                  if (event.key !== 'Enter') return
                  event.preventDefault()
                  document.querySelector<HTMLElement>('.block-text [role=textbox]')?.focus()
                }}
              />
            </div>
            <TextArea
              label={t.excerpt}
              hint={t.excerptHint}
              rows={2}
              maxLength={2000}
              value={fields.excerpt}
              onValue={excerpt => draft.change({ excerpt })}
            />
            <BlockEditor content={fields.content} onContent={content => draft.change({ content })} />
          </section>
          <Options draft={draft} rights={rights} />
        </div>
      )}
      <LeaveGuard draft={draft} />
    </article>
  )
}

/** Asks before leaving a page with unsaved changes. Drafts are saved instead, if that succeeds. */
function LeaveGuard({ draft }: { draft: PageDraft }) {
  const t = useTexts('editor/leaving')
  const state = useStore(draft.state)
  const isUnsaved = state.status !== 'saved'
  const [leave, setLeave] = useState<() => void>()

  // Set as soon as the page shows that it is unsaved, so that going back quickly asks too.
  useLayoutEffect(() => {
    if (!isUnsaved) return
    const askBeforeUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', askBeforeUnload)
    const release = askBeforeLeaving(leave => {
      const question = () => setLeave(() => leave)
      if (!savesItself(draft.state.get())) return question()
      void draft.save().then(isSaved => (isSaved ? leave() : question()))
    })
    return () => {
      removeEventListener('beforeunload', askBeforeUnload)
      release()
    }
  }, [isUnsaved, draft])

  if (!leave) return null
  return (
    <Dialog title={t.title} onClose={() => setLeave(undefined)}>
      <p>{t.text}</p>
      <footer>
        <Button onClick={() => setLeave(undefined)}>{t.stay}</Button>
        <Button variant="danger" onClick={leave}>
          {t.leave}
        </Button>
        <Button
          variant="main"
          onClick={() => void draft.save().then(isSaved => (isSaved ? leave() : setLeave(undefined)))}
        >
          {t.save}
        </Button>
      </footer>
    </Dialog>
  )
}

/** Both versions side by side, after two people changed the same. */
function Conflict({ draft, otherVersion, fields }: { draft: PageDraft; otherVersion: Page; fields: Fields }) {
  const t = useTexts('editor/conflict')
  const [isOpen, setOpen] = useState(true)
  if (!isOpen)
    return (
      <p class="note" role="alert">
        {t.waits}{' '}
        <Button class="small" onClick={() => setOpen(true)}>
          {t.compare}
        </Button>
      </p>
    )
  return (
    <Dialog title={t.title} onClose={() => setOpen(false)} size="large">
      <p>{t.text}</p>
      <div class="both-versions fit">
        <section class="stack" aria-label={t.mine}>
          <h3>{t.mine}</h3>
          <p class="hint">{t.unsaved}</p>
          <Preview fields={fields} />
          <Button variant="main" onClick={() => void draft.keepMine()}>
            {t.keepMine}
          </Button>
        </section>
        <section class="stack" aria-label={t.theirs}>
          <h3>{t.theirs}</h3>
          {otherVersion.updatedAt && (
            <p class="hint">{fill(t.savedAt, { time: dateAndTimeOf(otherVersion.updatedAt) })}</p>
          )}
          <Preview fields={fieldsOf(otherVersion)} />
          <Button onClick={() => draft.takeTheirs()}>{t.takeTheirs}</Button>
        </section>
      </div>
    </Dialog>
  )
}
