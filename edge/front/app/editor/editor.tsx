import type { FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PlatformError } from '../../../client/client.ts'
import type { BlockEditorProps } from '../block-editor/block-editor.tsx'
import { loadSession } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { BackLink } from '../ui/back-link.tsx'
import { Button, TextArea } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { Conflict } from './conflict.tsx'
import type { PageDraft } from './draft.ts'
import { LeaveGuard } from './leaving.tsx'
import { Options } from './options.tsx'
import { Preview } from './preview.tsx'
import { Publishing } from './publishing.tsx'
import type { EditorRights } from './rights.ts'
import { SaveState } from './save-state.tsx'

type EditorProps = { draft: PageDraft; rights: EditorRights; BlockEditor: FunctionComponent<BlockEditorProps> }

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
      <header class="editor-head">
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
