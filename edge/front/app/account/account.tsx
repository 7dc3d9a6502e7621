import { useEffect, useState } from 'preact/hooks'
import type { User } from '../../../../gen/client/auth.ts'
import { useAction } from '../platform/action.ts'
import { reloadAll } from '../platform/load.ts'
import { canReceivePushes, sendsPushes } from '../platform/push/device.ts'
import { pushChoice, turnPushesOff } from '../platform/push/push.ts'
import { Link } from '../platform/router.tsx'
import { loadSession, platform, type SignedInSession, session, signOut } from '../platform/session.ts'
import { staysSignedIn } from '../platform/session-route.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { PasswordField } from '../sign-in/card.tsx'
import { Button, Checkbox, Form, TextField } from '../ui/controls.tsx'
import { notify, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Icon } from '../ui/icon.tsx'
import { Card, useTitle } from '../ui/page.tsx'
import { Avatar } from '../ui/people.tsx'
import { useTurnPushesOn } from '../ui/push.tsx'
import { PictureRow } from '../ui/uploads.tsx'
import { Devices } from './devices.tsx'
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
      <Card title={t.notifications}>
        <Pushes />
        <p>
          <Link to="/notifications/preferences" class="button">
            <Icon name="bell" />
            <span>{t.notificationsChoose}</span>
          </Link>
        </p>
      </Card>
      <Password email={now.user.email} />
      <Devices />
      <p class="more">
        <Button icon="leave" onClick={() => void signOut()}>
          {t.signOut}
        </Button>
      </p>
    </>
  )
}

/** Names and picture, as colleagues see them. */
function Profile({ user }: { user: User }) {
  const t = useTexts('account/profile')
  const firstName = user.firstName ?? ''
  const lastName = user.lastName ?? ''
  const { values, setValues, field } = useFields({ firstName, lastName })
  useEffect(() => setValues(now => ({ ...now, firstName })), [firstName])
  useEffect(() => setValues(now => ({ ...now, lastName })), [lastName])
  const update = async (body: { firstName: string; lastName: string } | { photo_url: string | null }) => {
    await platform.auth.updateMe({ body })
    await loadSession()
    notify(t.saved)
  }
  const save = useAction(() => update(values))
  const savePicture = useAction((photo_url: string | null) => update({ photo_url }))
  return (
    <Card title={t.title}>
      <PictureRow
        folder="profiles"
        texts={{ choose: t.picture, remove: t.remove, hint: t.pictureHint }}
        mayRemove={Boolean(user.photo_url)}
        onPicture={address => void savePicture.run(address)}
      >
        <Avatar person={user} size={72} />
      </PictureRow>
      <Problem error={savePicture.error} />
      <ActionForm action={save} submit={t.save}>
        <div class="fit">
          <TextField label={t.firstName} {...field('firstName', save)} autocomplete="given-name" maxLength={255} />
          <TextField label={t.lastName} {...field('lastName', save)} autocomplete="family-name" maxLength={255} />
        </div>
      </ActionForm>
    </Card>
  )
}

/** Whether this device receives pushes. */
function Pushes() {
  const t = useTexts('account/pushes')
  const turnOn = useTurnPushesOn()
  const turnOff = useAction(turnPushesOff)
  const isOn = useStore(pushChoice) === 'on'
  if (!sendsPushes) return null
  const obstacle = !canReceivePushes()
    ? t.unsupported
    : !staysSignedIn()
      ? t.stay
      : Notification.permission === 'denied'
        ? t.blocked
        : undefined
  return (
    <>
      <Checkbox
        label={t.label}
        hint={obstacle}
        checked={turnOn.isRunning || (isOn && !turnOff.isRunning)}
        disabled={!isOn && obstacle !== undefined}
        onCheck={isChecked => void (isChecked ? turnOn : turnOff).run()}
      />
      <Problem error={turnOn.error ?? turnOff.error} />
    </>
  )
}

/** What a person signs in with. Each change asks for the present password. */
function Password({ email: present }: { email: string }) {
  const t = useTexts('account/password')
  const [email, setEmail] = useState(present)
  useEffect(() => setEmail(present), [present])
  const [currentPassword, setCurrent] = useState('')
  const [newPassword, setNew] = useState('')
  const isNewAddress = email !== present
  const save = useAction(async () => {
    if (isNewAddress) {
      const account = await platform.auth.updateMe({ body: { email, currentPassword } })
      // The platform writes addresses in lower case.
      setEmail(account.email)
      await loadSession()
    } else {
      await platform.auth.changePassword({ body: { currentPassword, newPassword } })
      setNew('')
      // The other devices are signed out.
      reloadAll()
    }
    setCurrent('')
    notify(isNewAddress ? t.emailSaved : t.saved)
  })
  return (
    <Card title={t.title}>
      <Problem error={save.error} statusTexts={{ 409: t.taken }} />
      <Form onSubmit={() => void save.run()}>
        <TextField
          label={t.email}
          hint={t.emailHint}
          error={save.fields['email']}
          type="email"
          autocomplete="email"
          required
          value={email}
          onValue={setEmail}
        />
        <PasswordField value={currentPassword} onValue={setCurrent} error={save.fields['currentPassword']} />
        {!isNewAddress && (
          <PasswordField isNew value={newPassword} onValue={setNew} error={save.fields['newPassword']} />
        )}
        <div class="actions">
          <Button variant="main" type="submit" isBusy={save.isRunning}>
            {isNewAddress ? t.saveEmail : t.save}
          </Button>
          {!isNewAddress && <span class="hint">{t.hint}</span>}
        </div>
      </Form>
    </Card>
  )
}
