import { useEffect, useRef } from 'preact/hooks'
import { Link } from '../platform/router.tsx'

/** Links between the pages of a subject. Nothing is shown for a single one. */
export function SectionNav({
  label,
  path,
  entries,
}: {
  label: string
  path: string
  entries: { to: string; text: string; count?: number | undefined }[]
}) {
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
      {entries.map(({ to, text, count }) => (
        <Link key={to} to={to} aria-current={to === path ? 'page' : undefined}>
          {text}
          {count ? <span class="count">{count}</span> : null}
        </Link>
      ))}
    </nav>
  )
}
