import type { ComponentChildren } from 'preact'
import { basePath, isHash } from './place.ts'
import { createStore, useStore } from './store.ts'

/** A page of the client: `/pages/42?tab=readers`. */
const placeOf = ({ hash, pathname, search }: URL | Location): string =>
  isHash ? `/${hash.replace(/^#?\/*/, '')}` : `/${pathname.slice(basePath.length)}${search}`
const placeNow = (): string => placeOf(location)

export const place = createStore(placeNow())

for (const event of ['popstate', 'hashchange']) addEventListener(event, showCurrentPlace)

/** Called before another page is shown; `leave` shows it. */
type LeaveQuestion = (leave: () => void) => void
let leaveQuestion: LeaveQuestion | undefined

/** Asks before the shown page is left, such as with unsaved changes. @returns a function that stops asking */
export function askBeforeLeaving(question: LeaveQuestion): () => void {
  leaveQuestion = question
  return () => {
    if (leaveQuestion === question) leaveQuestion = undefined
  }
}

/** Shows the page that the browser navigated to, unless the question keeps the present one. */
function showCurrentPlace(): void {
  const to = placeNow()
  if (!leaveQuestion || to === place.get()) return place.set(to)
  push(to, place.get())
  leaveQuestion(() => show(to, false))
}

/** The address of a page, for links. */
const addressOf = (to: string): string => (isHash ? `${basePath}#${to}` : `${basePath}${to.replace(/^\//, '')}`)

/**
 * Navigates to another page after an action; links use `Link`.
 * @param before called once the shown page may be left
 */
export function go(to: string, { replace = false, before = () => {} } = {}): void {
  const leave = () => {
    before()
    show(to, replace)
  }
  if (leaveQuestion && !replace) leaveQuestion(leave)
  else leave()
}

/** Navigates to an address of the client. */
export function openAddress(address: string): void {
  const to = placeOf(new URL(address))
  if (to !== place.get()) go(to)
}

function show(to: string, replace: boolean): void {
  if (replace) history.replaceState(history.state, '', addressOf(to))
  else push(place.get(), to)
  place.set(placeNow())
  if (!replace) scrollTo(0, 0)
}

let renamedPath: string | undefined
place.subscribe(now => {
  if (now !== renamedPath) renamedPath = undefined
})

/** Replaces the address of the shown page, such as when a draft was created. The focus stays. */
export function rename(to: string): void {
  renamedPath = to
  show(to, true)
}

/** Whether the shown page only got another address. */
export const isRenamed = (): boolean => renamedPath === place.get()

const longestTrail = 20

/** The pages that led to the shown one, the latest last; empty when the client was opened here. */
const pathTrail = (): string[] => (history.state as { trail?: string[] } | null)?.trail ?? []

/** Adds a page to the browser's history. @param from the page of the present entry */
function push(from: string, to: string): void {
  history.pushState({ trail: [...pathTrail(), from].slice(-longestTrail) }, '', addressOf(to))
}

/** Goes back, or to `to` when the client was opened at this page. */
export function goBack(to: string): void {
  if (pathTrail().length === 0) go(to)
  else history.back()
}

/** The address of the page above: with the search and filters that it had on the way here. */
export const addressAbove = (to: string): string => pathTrail().findLast(one => one.split('?')[0] === to) ?? to

/** Values of the query of the shown page; a missing one is empty. */
export function useQuery<Name extends string>(...names: Name[]): Record<Name, string> {
  const query = new URLSearchParams(useStore(place).split('?')[1] ?? '')
  return Object.fromEntries(names.map(name => [name, query.get(name) ?? ''])) as Record<Name, string>
}

/** The number of a page in the query. */
export const pageNumber = (text: string): number => Math.max(1, Number(text) || 1)

/** Changes values of the query in place; an empty one is removed. */
export function changeQuery(changes: Record<string, string>): void {
  const [path = '/', query = ''] = place.get().split('?')
  const values = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value) values.set(name, value)
    else values.delete(name)
  }
  go(values.size > 0 ? `${path}?${values}` : path, { replace: true })
}

type LinkProps = {
  to: string
  class?: string
  title?: string
  'aria-label'?: string
  'aria-current'?: 'page' | undefined
  children: ComponentChildren
}

/** A link to a page of the client. */
export function Link({ to, children, ...rest }: LinkProps) {
  const navigate = (event: MouseEvent) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    go(to)
  }
  return (
    <a {...rest} href={addressOf(to)} onClick={navigate}>
      {children}
    </a>
  )
}

export type Routes = Record<string, (values: Record<string, string>) => ComponentChildren>

/** The component of the first pattern, such as `/pages/:id`, that matches a path. */
export function matchRoute(routes: Routes, path: string): ComponentChildren | undefined {
  const parts = (path.split('?')[0] ?? '').split('/').filter(Boolean).map(decodePart)
  for (const [pattern, component] of Object.entries(routes)) {
    const patternParts = pattern.split('/').filter(Boolean)
    if (patternParts.length !== parts.length) continue
    const values: Record<string, string> = {}
    const isMatch = patternParts.every((part, index) => {
      const pathPart = parts[index] ?? ''
      if (!part.startsWith(':')) return part === pathPart
      values[part.slice(1)] = pathPart
      return true
    })
    if (isMatch) return component(values)
  }
  return undefined
}

/** A decoded part of an address; unchanged when it isn't encoded correctly. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}
