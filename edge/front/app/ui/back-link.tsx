import { addressAbove, Link } from '../platform/router.tsx'
import { Icon } from './icon.tsx'

/** The way from a page to the one above it, as it was left. */
export const BackLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={addressAbove(to)} class="back-link">
    <Icon name="back" />
    {text}
  </Link>
)
