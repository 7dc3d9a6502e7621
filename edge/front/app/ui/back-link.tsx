import { Link } from '../platform/router.tsx'
import { Icon } from './icon.tsx'

/** The way from a page to the one above it. */
export const BackLink = ({ to, text }: { to: string; text: string }) => (
  <Link to={to} class="back-link">
    <Icon name="back" />
    {text}
  </Link>
)
