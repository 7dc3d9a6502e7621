import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { Account } from '../account/account.tsx'
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
  '/account': () => <Account />,
  '/notifications': () => <InboxPage />,
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

type Load = () => Promise<Routes>

/** Pages for some members only, by the first part of their address. Their code is loaded when one is opened. */
const rooms: Record<string, Load> = {
  '/write': async () => (await import('../editor/pages.tsx')).editorPages,
  '/members': async () => {
    const [groups, members] = await Promise.all([import('../groups/pages.tsx'), import('../members/pages.tsx')])
    return { ...groups.groupPages, ...members.memberPages }
  },
  '/hotel': async () => (await import('../hotel/pages.tsx')).hotelPages,
}

/** The page at an address; `missingPage` where there is none. */
export function pageAt(path: string, missingPage: ComponentChildren): ComponentChildren {
  const page = matchRoute(pages, path)
  if (page) return page
  const start = `/${path.split(/[/?]/)[1] ?? ''}`
  const load = rooms[start]
  return load ? <Room key={start} load={load} path={path} missing={missingPage} /> : missingPage
}

function Room({ load, path, missing }: { load: Load; path: string; missing: ComponentChildren }) {
  const [loadedRoutes, setLoaded] = useState<Routes | undefined>(undefined)
  const [error, setError] = useState<unknown>(undefined)
  useEffect(() => {
    load().then(routes => setLoaded(() => routes), setError)
  }, [load])
  // The files of an older version are gone after an update: a reload of the page gets the current ones.
  if (error) return <PageProblem error={error} onRetry={() => location.reload()} />
  return loadedRoutes ? (matchRoute(loadedRoutes, path) ?? missing) : <Loading />
}
