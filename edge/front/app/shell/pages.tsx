import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { Feed } from '../feed/feed.tsx'
import { SavedPages } from '../feed/saved.tsx'
import { PageScreen } from '../page/page.tsx'
import { go, matchRoute, type Routes } from '../platform/router.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { Loading, PageProblem } from '../ui/feedback.tsx'
import { InboxPage } from './inbox.tsx'

/** The pages of a signed-in member, by address. */
const pages: Routes = {
  '/': () => <Feed />,
  '/saved': () => <SavedPages />,
  '/pages/:id': ({ id = '' }) => <PageScreen key={id} id={id} />,
  '/notifications': () => <InboxPage />,
  '/notifications/preferences': () => <InboxPage key="preferences" hasPreferences />,
  '/notifications/:id': ({ id = '' }) => <InboxPage key={id} selected={id} />,
  // Targets of links in e-mails.
  '/workspaces/:id': ({ id }) => <OtherWorkspaces to="/" isSuitable={one => one.id === id} />,
  '/hotels/:id': ({ id }) => <OtherWorkspaces to="/hotel" isSuitable={one => one.ecosystemId === id} />,
}

/** Redirects a link of an e-mail to the page that shows its subject, in a workspace that holds it. */
function OtherWorkspaces({ to, isSuitable }: { to: string; isSuitable: (workspace: MyWorkspace) => boolean }) {
  useEnterWorkspace(isSuitable)
  useEffect(() => go(to, { replace: true }), [to])
  return null
}

/** Whether a path is of a page whose code is loaded later. */
const isRoom = (path: string): boolean => /^\/(account|write|members|hotel)(?=[/?]|$)/.test(path)

/** The page at an address; `missingPage` where there is none. */
export const pageAt = (path: string, missingPage: ComponentChildren): ComponentChildren =>
  matchRoute(pages, path) ?? (isRoom(path) ? <Room path={path} missing={missingPage} /> : missingPage)

function Room({ path, missing }: { path: string; missing: ComponentChildren }) {
  const [routes, setRoutes] = useState<Routes | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    import('./rooms.tsx').then(({ roomPages }) => setRoutes(() => roomPages), setError)
  }, [])
  // The files of an older version are gone after an update: a reload of the page gets the current ones.
  if (error) return <PageProblem error={error} onRetry={() => location.reload()} />
  return routes ? (matchRoute(routes, path) ?? missing) : <Loading />
}
