import type { Routes } from '../platform/router.tsx'
import { Audit } from './audit.tsx'
import { Data } from './data.tsx'
import { Keys } from './keys.tsx'
import { Overview } from './overview.tsx'
import { Settings } from './settings.tsx'
import { Subscription } from './subscription.tsx'

/** Pages about the hotel. */
export const hotelPages: Routes = {
  '/hotel': () => <Overview />,
  '/hotel/settings': () => <Settings />,
  '/hotel/subscription': () => <Subscription />,
  '/hotel/keys': () => <Keys />,
  '/hotel/data': () => <Data />,
  '/hotel/audit': () => <Audit />,
}
