import { Link } from '../platform/router.tsx'
import type { SignedInSession } from '../platform/session.ts'
import { session, signOut } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { useTitle } from '../ui/title.ts'
import { Devices } from './devices.tsx'
import { Password } from './password.tsx'
import { Profile } from './profile.tsx'
import { Pushes } from './pushes.tsx'
import { Settings } from './settings.tsx'

/** Everything about the signed-in person. */
export function Account() {
  const now = useStore(session)
  return now.kind === 'in' ? <Sections now={now} /> : null
}

function Sections({ now }: { now: SignedInSession }) {
  const t = useTexts('account/account')
  useTitle(t.yourAccount)
  return (
    <>
      <h1>{t.yourAccount}</h1>
      <Profile user={now.user} />
      {now.user.memberId && <Settings memberId={now.user.memberId} />}
      <Pushes />
      <section class="card" aria-labelledby="notifications">
        <h2 id="notifications">{t.notifications}</h2>
        <p>{t.notificationsText}</p>
        <Link to="/notifications/preferences" class="button">
          <Icon name="bell" />
          <span>{t.notificationsChoose}</span>
        </Link>
      </section>
      <Password email={now.user.email} />
      <Devices />
      <p class="account-end">
        <Button icon="leave" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </p>
    </>
  )
}
