import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useStore } from '../../front/app/platform/store.ts'
import { Button } from '../../front/app/ui/controls.tsx'
import { notify } from '../../front/app/ui/feedback.tsx'
import { Icon } from '../../front/app/ui/icon.tsx'
import { type ConfirmQuestion, confirmAction } from './dialogs.tsx'
import * as format from './format.ts'
import { freshness, type PartialAnswer, staleText, useIsStale } from './refresh.ts'
import { messageOf } from './session.ts'

export type Tone = 'good' | 'warn' | 'bad' | 'info' | 'quiet'

type CardProps = { title: string; hint?: string; extra?: ComponentChildren; children?: ComponentChildren }

/** A section with a heading; `extra` is shown to the right of it. */
export const Card = ({ title, hint, extra, children }: CardProps) => (
  <section class="card">
    <header class="section-head">
      <div>
        <h2>{title}</h2>
        {hint && <p class="hint">{hint}</p>}
      </div>
      {extra}
    </header>
    {children}
  </section>
)

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
    <a class="figure" href={href}>
      {content}
    </a>
  ) : (
    <div class="figure">{content}</div>
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

type PartProps<Answer> = {
  part: PartialAnswer<Answer>
  show: (answer: Answer) => ComponentChildren
  /** In place of a missing record. */
  missingText?: ComponentChildren
}

/** A part of a page, or the error of its call. */
export const PartOf = <Answer,>({ part: { answer, error }, show, missingText }: PartProps<Answer>) => (
  <>{error ? <Failure error={error} /> : answer ? show(answer) : missingText}</>
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
  question: ConfirmQuestion
  act: () => Promise<unknown>
  children?: ComponentChildren
}

/** A button whose action is confirmed first; by default it has the text of the dialog's. */
export const ConfirmedButton = ({ question, act, children = question.submit, ...rest }: ConfirmedProps) => (
  <ChangeButton {...rest} onClick={() => void confirmAction(question, act)}>
    {children}
  </ChangeButton>
)

export type PageCounts = { page: number; totalPages: number; total: number } | null

/** Turns the pages of a named list; nothing for a single page. */
export const ListPager = ({ of, meta, go }: { of: string; meta: PageCounts; go: (page: number) => void }) =>
  meta && meta.totalPages > 1 ? (
    <nav class="pager" aria-label={`Pages of ${of}`}>
      <Button class="small" isDisabled={meta.page <= 1} onClick={() => meta.page > 1 && go(meta.page - 1)}>
        Previous
      </Button>
      <span>
        Page {format.count(meta.page)} of {format.count(meta.totalPages)} · {format.count(meta.total)} total
      </span>
      <Button
        class="small"
        isDisabled={meta.page >= meta.totalPages}
        onClick={() => meta.page < meta.totalPages && go(meta.page + 1)}
      >
        Next
      </Button>
    </nav>
  ) : null

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
    <label class="filter">
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
  <label class="filter">
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

/** A name that can wrap after its parts. */
export const Breakable = ({ name }: { name: string }) => (
  <>{name.split(/(?<=[._@])/).flatMap(piece => [piece, <wbr key={piece} />])}</>
)

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
