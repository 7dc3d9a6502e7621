import { useRef, useState } from 'preact/hooks'
import type { Page } from '../../../../gen/client/news.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { localOf, momentOf } from '../platform/times.ts'
import { Button, Checkbox, MomentField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import type { PageDraft } from './draft.ts'

/** Pins the page and makes it must-read. Both take effect at once, without a save. */
export function Prominence({ draft, page }: { draft: PageDraft; page: Page }) {
  const t = useTexts('editor/prominence')
  const workspaceId = useMemberContext().workspace.id
  const pins = useLoad(page.isPinned ? `pins/${workspaceId}/${page.id}` : null, signal =>
    platform.news.listPins({ workspaceId }, { signal }),
  )
  const deadline = useLoad<string | null>(
    page.isMustRead ? `must-read/${page.id}` : null,
    async signal => (await platform.news.getMustRead({ pageId: page.id }, { signal })).dueAt,
  )
  const pinnedUntil = pins.value?.data.find(pin => pin.pageId === page.id)?.expiresAt ?? null
  const keep = (changes: Partial<Page>) => {
    draft.state.set(now => (now.page ? { ...now, page: { ...now.page, ...changes } } : now))
    notify(t.saved)
  }
  const pin = useAction(async (isPinned: boolean, expiresAt: string | null) => {
    if (isPinned) await platform.news.createPin({ body: { pageId: page.id, workspaceId, expiresAt } })
    else await platform.news.deletePin({ pageId: page.id })
    await pins.reload()
    keep({ isPinned })
  })
  const mustRead = useAction(async (isMustRead: boolean, until: string | null) => {
    if (isMustRead) await platform.news.setMustRead({ pageId: page.id, body: { dueAt: until } })
    else await platform.news.removeMustRead({ pageId: page.id })
    deadline.change(() => until)
    keep({ isMustRead })
  })
  const isPublished = page.status === 'published'
  return (
    <fieldset>
      <legend>{t.title}</legend>
      <Problem error={pin.error ?? mustRead.error} />
      <Problem
        error={pins.error ?? deadline.error}
        onRetry={() => void (pins.error === undefined ? deadline.reload() : pins.reload())}
      />
      <Checkbox label={t.pin} checked={page.isPinned} onCheck={checked => void pin.run(checked, null)} />
      {page.isPinned && pins.value && (
        <Moment
          label={t.until}
          value={pinnedUntil}
          error={pin.fields['expiresAt']}
          onApply={time => pin.run(true, time)}
        />
      )}
      {isPublished && (
        <Checkbox
          label={t.mustRead}
          hint={t.mustReadHint}
          checked={page.isMustRead}
          onCheck={checked => void mustRead.run(checked, null)}
        />
      )}
      {page.isMustRead && isPublished && deadline.value !== undefined && (
        <Moment
          label={t.due}
          value={deadline.value}
          error={mustRead.fields['dueAt']}
          onApply={time => mustRead.run(true, time)}
        />
      )}
    </fieldset>
  )
}

type MomentProps = {
  label: string
  value: string | null
  error: string | undefined
  /** @returns whether the time was accepted */
  onApply: (time: string | null) => Promise<boolean>
}

function Moment({ label, value, error, onApply }: MomentProps) {
  const t = useTexts('editor/prominence')
  const root = useRef<HTMLDivElement>(null)
  const [typedText, setTypedText] = useState<string>()
  const text = typedText ?? localOf(value)
  const apply = async () => {
    if (!(await onApply(momentOf(text)))) return
    // The button disappears and would take the focus with it. A text that changed meanwhile stays.
    const focused = document.activeElement
    if (focused === document.body || root.current?.contains(focused)) root.current?.querySelector('input')?.focus()
    setTypedText(now => (now === text ? undefined : now))
  }
  return (
    <div class="moment-field row" ref={root}>
      <MomentField label={label} hint={t.optional} error={error} value={text} onValue={setTypedText} />
      {text !== localOf(value) && (
        <Button class="small" onClick={() => void apply()}>
          {t.apply}
        </Button>
      )}
    </div>
  )
}
