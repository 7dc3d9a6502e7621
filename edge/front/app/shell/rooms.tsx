import { Account } from '../account/account.tsx'
import { Revisions } from '../editor/revisions.tsx'
import { Templates } from '../editor/templates.tsx'
import { Write } from '../editor/write.tsx'
import { WriteList } from '../editor/write-list.tsx'
import { Figures } from '../figures/figures.tsx'
import { Departments } from '../groups/departments.tsx'
import { Roles } from '../groups/roles.tsx'
import { Teams } from '../groups/teams.tsx'
import { Audit } from '../hotel/audit.tsx'
import { Data } from '../hotel/data.tsx'
import { Keys } from '../hotel/keys.tsx'
import { Overview } from '../hotel/overview.tsx'
import { Settings } from '../hotel/settings.tsx'
import { Subscription } from '../hotel/subscription.tsx'
import { WebhookDeliveries } from '../hotel/webhook-deliveries.tsx'
import { Webhooks } from '../hotel/webhooks.tsx'
import en from '../locales/rooms/en.json' with { type: 'json' }
import fr from '../locales/rooms/fr.json' with { type: 'json' }
import { Invitations } from '../members/invitations.tsx'
import { Invite } from '../members/invite.tsx'
import { MemberList } from '../members/list.tsx'
import { Profile } from '../members/profile.tsx'
import type { Routes } from '../platform/router.tsx'
import { addTexts } from '../platform/texts.ts'

addTexts({ en, fr })

/** Pages that people open less often than the news. They are one file, which is loaded with the first of them. */
export const roomPages: Routes = {
  '/account': () => <Account />,
  '/write': () => <WriteList />,
  '/write/templates': () => <Templates />,
  '/write/:id': ({ id = '' }) => <Write id={id} />,
  '/write/:id/revisions': ({ id = '' }) => <Revisions key={id} id={id} />,
  '/write/:id/figures': ({ id = '' }) => <Figures key={id} id={id} />,
  '/members': () => <MemberList />,
  '/members/invite': () => <Invite />,
  '/members/invitations': () => <Invitations />,
  '/members/teams': () => <Teams />,
  '/members/departments': () => <Departments />,
  '/members/roles': () => <Roles />,
  '/members/:id': ({ id = '' }) => <Profile key={id} id={id} />,
  '/hotel': () => <Overview />,
  '/hotel/settings': () => <Settings />,
  '/hotel/subscription': () => <Subscription />,
  '/hotel/keys': () => <Keys />,
  '/hotel/webhooks': () => <Webhooks />,
  '/hotel/webhooks/:id': ({ id = '' }) => <WebhookDeliveries key={id} id={id} />,
  '/hotel/data': () => <Data />,
  '/hotel/audit': () => <Audit />,
}
