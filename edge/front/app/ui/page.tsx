import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { addressAbove, Link } from '../platform/router.tsx'
import { Icon } from './icon.tsx'

/** The title of the browser's window while a page is shown. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title
  }, [title])
}

/** Focuses the heading of the page, such as when the focused element is gone. */
export function focusHeading(): void {
  const heading = document.querySelector('main h1')
  if (!(heading instanceof HTMLElement)) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

/** The way from a page to the one above it, as it was left. */
export const BackLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={addressAbove(to)} class="back-link inline-row">
    <Icon name="back" />
    {text}
  </Link>
)

type CardProps = {
  title: ComponentChildren
  hint?: string
  /** Beside the heading. */
  extra?: ComponentChildren
  children?: ComponentChildren
}

/** A part of a page with its heading. */
export function Card({ title, hint, extra, children }: CardProps) {
  const heading = <h2>{title}</h2>
  return (
    <section class="card">
      {hint || extra ? (
        <header class="section-head row wrap spread">
          <div>
            {heading}
            {hint && <p class="hint">{hint}</p>}
          </div>
          {extra}
        </header>
      ) : (
        heading
      )}
      {children}
    </section>
  )
}

type Subject = {
  /** Name of its links. */
  label: string
  path: string
  entries: { to: string; text: string }[]
}
type SubjectPageProps = Subject & {
  title: string
  class?: string
  actions?: ComponentChildren
  children: ComponentChildren
}

/** A page of a subject with several: its heading and actions, and the links between them. */
export function SubjectPage({ title, actions, children, class: kind = '', ...subject }: SubjectPageProps) {
  useTitle(title)
  return (
    <div class={`wide ${kind}`}>
      <header class="section-head row wrap spread">
        <h1>{title}</h1>
        {actions && <div class="actions">{actions}</div>}
      </header>
      <SubjectLinks {...subject} />
      {children}
    </div>
  )
}

/** Nothing is shown for a single page. */
function SubjectLinks({ label, path, entries }: Subject) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    // On a phone the links scroll sideways: the present one is brought into sight.
    const nav = element.current
    const currentLink = nav?.querySelector<HTMLElement>('[aria-current]')
    if (nav && currentLink) nav.scrollLeft = currentLink.offsetLeft - (nav.clientWidth - currentLink.clientWidth) / 2
  }, [path, entries.length])
  if (entries.length < 2) return null
  return (
    <nav class="section-nav" ref={element} aria-label={label}>
      {entries.map(({ to, text }) => (
        <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  )
}
