import { Account } from '../account/account.tsx'
import { editorPages } from '../editor/pages.tsx'
import { groupPages } from '../groups/pages.tsx'
import { hotelPages } from '../hotel/pages.tsx'
import { memberPages } from '../members/pages.tsx'
import type { Routes } from '../platform/router.tsx'

/** Pages that people open less often than the news. They are one file, which is loaded with the first of them. */
export const roomPages: Routes = {
  '/account': () => <Account />,
  ...editorPages,
  ...groupPages,
  ...memberPages,
  ...hotelPages,
}
