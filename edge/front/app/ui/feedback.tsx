import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { PlatformError } from '../../../client/client.ts'
import { UnsentError } from '../platform/action.ts'
import type { Load } from '../platform/load.ts'
import { place } from '../platform/router.tsx'
import { createStore, useStore } from '../platform/store.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from './controls.tsx'
import { Icon, type IconName } from './icon.tsx'
import { useTitle } from './page.tsx'

/** Why a person can't do something yet, in their language. */
export class BlockedError extends Error {}

/** Texts of a screen that replace those of single statuses. */
export type StatusTexts = Record<number, string> | ((error: unknown) => Record<number, string>)

/** The message for an error. */
export function useProblemText(): (error: unknown, statusTexts?: StatusTexts) => string {
  const t = useTexts('ui/feedback')
  return (error, statusTexts = {}) => {
    if (error instanceof BlockedError) return error.message
    if (error instanceof UnsentError) return t.unsent
    if (!(error instanceof PlatformError)) return t.offline
    const statusText = (typeof statusTexts === 'function' ? statusTexts(error) : statusTexts)[error.status]
    if (statusText) return statusText
    if (error.violations.length > 0) return t.invalid
    if (error.status === 403) return t.forbidden
    if (error.status === 404 || error.status === 410) return t.missing
    if (error.status === 409 || error.status === 412) return t.conflict
    if (error.status === 429) return t.tooMany
    return error.status < 500 && error.message ? fill(t.refused, { message: error.message }) : t.broken
  }
}

type ProblemProps = { error: unknown; statusTexts?: StatusTexts | undefined; onRetry?: () => void }

/** What went wrong, where it happened. */
export function Problem({ error, statusTexts, onRetry }: ProblemProps) {
  const t = useTexts('ui/feedback')
  const textOf = useProblemText()
  if (!error) return null
  const reference = error instanceof PlatformError && error.status >= 500 ? error.requestId : null
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <p>{textOf(error, statusTexts)}</p>
        {reference && <p class="hint">{fill(t.reference, { id: reference })}</p>}
        {onRetry && (
          <Button variant="quiet" onClick={onRetry}>
            {t.retry}
          </Button>
        )}
      </div>
    </div>
  )
}

/** A whole page that could not be loaded. */
export function PageProblem(props: { error: unknown; onRetry: () => void }) {
  return (
    <>
      <h1 class="unseen">{useTexts('ui/feedback').notLoaded}</h1>
      <Problem {...props} />
    </>
  )
}

export function Loading() {
  return (
    <p class="loading" role="status">
      {useTexts('ui/feedback').loading}
    </p>
  )
}

type LoadedProps<Value> = {
  load: Pick<Load<Value>, 'value' | 'error' | 'reload'>
  /** Shown for a list without entries. */
  empty?: ComponentChildren
  children: (value: Value) => ComponentChildren
}

/** What is loaded, or that it is being loaded; above it what went wrong. */
export const Loaded = <Value,>({ load: { value, error, reload }, empty, children }: LoadedProps<Value>) => (
  <>
    <Problem error={error} onRetry={() => void reload()} />
    {value === undefined ? !error && <Loading /> : empty && hasNoEntries(value) ? empty : children(value)}
  </>
)

const hasNoEntries = (value: unknown): boolean =>
  (Array.isArray(value) ? value : (value as { data?: unknown[] }).data)?.length === 0

type EmptyProps = { icon: IconName; title: string; text?: string; children?: ComponentChildren }

/** A list without entries: what would be here, and what to do about it. */
export function Empty(props: EmptyProps) {
  return <EmptyPlace {...props} title={<p class="empty-title">{props.title}</p>} />
}

/** A page without content: why, and what to do about it. */
export function EmptyPage(props: EmptyProps) {
  useTitle(props.title)
  return <EmptyPlace {...props} title={<h1 class="empty-title">{props.title}</h1>} />
}

function EmptyPlace({ icon, title, text, children }: Omit<EmptyProps, 'title'> & { title: ComponentChildren }) {
  return (
    <div class="empty">
      <Icon name={icon} size={40} />
      {title}
      {text && <p>{text}</p>}
      {children}
    </div>
  )
}

const toast = createStore<{ text: string; at: number } | undefined>(undefined)

/** Shows a message at the top for a few seconds, or until the page is left. */
export function notify(text: string): void {
  toast.set({ text, at: Date.now() })
}

export function Toasts() {
  const message = useStore(toast)
  useEffect(() => {
    if (!message) return
    const timer = setTimeout(() => toast.set(undefined), 6_000)
    // A message that comes with a move to another page stays.
    const isOld = () => Date.now() - message.at > 1_000
    const stop = place.subscribe(() => isOld() && toast.set(undefined))
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [message])
  return (
    <div class="toasts" role="status">
      {message && <p>{message.text}</p>}
    </div>
  )
}
