import type { ComponentChildren, ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { PlatformError } from '../../client/client.ts'
import { useAction } from '../../front/app/platform/action.ts'
import { useStore } from '../../front/app/platform/store.ts'
import { Button } from '../../front/app/ui/controls.tsx'
import { Dialog, openDialog } from '../../front/app/ui/dialogs.tsx'
import { BlockedError, notify } from '../../front/app/ui/feedback.tsx'
import { type ConfirmQuestion, confirmAction } from '../../front/app/ui/form.tsx'
import { Icon } from '../../front/app/ui/icon.tsx'
import { Card } from '../../front/app/ui/page.tsx'
import { type PageCounts, Pager } from '../../front/app/ui/table.tsx'
import * as format from './format.ts'
import { freshness, type PartialAnswer, refresh, staleText, useIsStale } from './refresh.ts'
import { messageOf } from './session.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

export const Badge = ({ text, tone = 'quiet' }: { text: string; tone?: Tone }) => (
  <span class={`tag tone-${tone}`}>{text}</span>
)

/** Whether an account or a person is active. */
export const Activity = ({ isActive }: { isActive: boolean }) => (
  <Badge text={isActive ? 'active' : 'inactive'} tone={isActive ? 'good' : 'warn'} />
)

type FigureProps = { label: string; value: string; note?: ComponentChildren; isWarning?: boolean; href?: string }

/** A key figure: label, value and note. */
export function Figure({ label, value, note, isWarning, href }: FigureProps) {
  const content = (
    <>
      <span class="hint">{label}</span>
      <b>{value}</b>
      <span class={isWarning ? 'hint tone-warn' : 'hint'}>{note}</span>
    </>
  )
  return href ? (
    <a class="figure box" href={href}>
      {content}
    </a>
  ) : (
    <div class="figure box">{content}</div>
  )
}

export const Nothing = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="empty-title">{title}</p>
    {children && <p>{children}</p>}
  </div>
)

/** A failure; its children state what it means for the page. */
export const Failure = ({ error, children }: { error: unknown; children?: ComponentChildren }) => {
  const { requestId } = error as { requestId?: string | null }
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{messageOf(error)}</p>
        {children}
        {requestId && (
          <p class="hint">
            Request <RequestLink id={requestId} />
          </p>
        )}
      </div>
    </div>
  )
}

/** A request id, which leads to what is known of the request. */
export const RequestLink = ({ id }: { id: string }) => <a href={`#/requests?id=${encodeURIComponent(id)}`}>{id}</a>

type PartProps<Answer> = ComponentProps<typeof Card> & {
  part: PartialAnswer<Answer>
  show: (answer: Answer) => ComponentChildren
  /** In place of a missing record. */
  missingText?: ComponentChildren
}

/** A card with a part of a page, or with the error of its call. */
export const PartCard = <Answer,>({ part: { answer, error }, show, missingText, ...card }: PartProps<Answer>) => (
  <Card {...card}>{error ? <Failure error={error} /> : answer ? show(answer) : missingText}</Card>
)

type ChangeProps = {
  children: ComponentChildren
  label?: string
  variant?: 'main' | 'danger'
  onClick: () => void
  isLarge?: boolean
}

/** A button that changes something on the platform: off while the page is out of date. */
export function ChangeButton({ children, label, variant, onClick, isLarge = false }: ChangeProps) {
  const isStale = useIsStale()
  return (
    <Button
      class={isLarge ? '' : 'small'}
      {...(variant ? { variant } : {})}
      {...(label ? { 'aria-label': label } : {})}
      isDisabled={isStale}
      onClick={() => (isStale ? notify(staleText) : onClick())}
    >
      {children}
    </Button>
  )
}

type ConfirmedProps = Pick<ChangeProps, 'label' | 'variant'> & {
  question: ChangeQuestion
  act: () => Promise<unknown>
  children?: ComponentChildren
}

/** A button whose action is confirmed first; by default it has the text of the dialog's. */
export const ConfirmedButton = ({ question, act, children = question.submit, ...rest }: ConfirmedProps) => (
  <ChangeButton {...rest} onClick={() => void confirmChange(question, act)}>
    {children}
  </ChangeButton>
)

type ListPagerProps = { list: string; meta: PageCounts; go: (page: number) => void }

/** Turns the pages of a named list. */
export const ListPager = ({ list, meta, go }: ListPagerProps) => (
  <Pager meta={meta} label={`Pages of ${list}`} note={` · ${format.count(meta?.total)} total`} onPage={go} />
)

type FilterProps = {
  label: string
  value: string
  placeholder: string
  list?: string
  onValue: (value: string) => void
}

/** A text that a list is filtered by, once it is typed. What is being typed stays when the page is refreshed. */
export function Filter({ label, value, placeholder, list, onValue }: FilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <label class="filter row tight">
      <span>{label}</span>
      <input
        type="search"
        autocomplete="off"
        spellcheck={false}
        value={text}
        placeholder={placeholder}
        list={list}
        onInput={event => setText(event.currentTarget.value)}
        onChange={event => onValue(event.currentTarget.value.trim())}
      />
    </label>
  )
}

type ChoiceProps = {
  label: string
  choices: [value: string, text: string][]
  value: string
  onValue: (value: string) => void
}

export const Choice = ({ label, choices, value, onValue }: ChoiceProps) => (
  <label class="filter row tight">
    <span>{label}</span>
    <select value={value} onChange={event => onValue(event.currentTarget.value)}>
      {choices.map(([one, text]) => (
        <option key={one} value={one}>
          {text}
        </option>
      ))}
    </select>
  </label>
)

/** A time as relative, with the exact one in its title. */
export function TimeAgo({ moment }: { moment: string | null | undefined }) {
  // Renders again at each refresh, so that the relative time stays right.
  useStore(freshness)
  return moment ? (
    <time dateTime={moment} title={format.time(moment)}>
      {format.ago(moment)}
    </time>
  ) : (
    <>{format.dash}</>
  )
}

const jsonPieces = /("(?:\\.|[^"\\])*"(?:\s*:)?|\b(?:true|false|null)\b|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)/

/** JSON as text, with keys and values in different colours. */
export function JsonText({ value }: { value: unknown }) {
  const kindOf = (piece: string) => (piece.startsWith('"') ? (piece.endsWith(':') ? 'info' : 'good') : 'warn')
  return (
    // biome-ignore lint: it scrolls, so that the keyboard has to reach it
    <pre class="json" tabIndex={0} role="region" aria-label="Content as JSON">
      {JSON.stringify(value, null, 2)
        .split(jsonPieces)
        .map((piece, index) => (index % 2 === 1 ? <span class={`tone-${kindOf(piece)}`}>{piece}</span> : piece))}
    </pre>
  )
}

/** Shows something in full; `content` receives the function that closes it. */
export function openSheet(title: string, content: (close: () => void) => ComponentChildren): void {
  openDialog(close => (
    <Dialog title={title} size="large" onClose={close}>
      <div class="stack">{content(close)}</div>
    </Dialog>
  ))
}

/** An action that is off while the page is out of date. A refusal that names no field is told in its own words. */
export function useChange(act: () => Promise<unknown>) {
  const isStale = useIsStale()
  const action = useAction(async () => {
    if (isStale) throw new BlockedError(staleText)
    await act().catch((error: unknown) => {
      const isTold = error instanceof BlockedError || (error instanceof PlatformError && error.violations.length > 0)
      throw isTold ? error : new BlockedError(messageOf(error))
    })
  })
  return { ...action, isRunning: action.isRunning || isStale }
}

/** `report` is told once the action is done. */
export type ChangeQuestion = ConfirmQuestion & { report?: string }

/**
 * Runs an action once the operator confirms it. The page is loaded again in any case.
 * @returns whether the action was done
 */
export async function confirmChange(
  { report, ...question }: ChangeQuestion,
  act: () => Promise<unknown>,
): Promise<boolean> {
  const isDone = await confirmAction(question, act, useChange)
  if (isDone && report) notify(report)
  void refresh()
  return isDone
}
