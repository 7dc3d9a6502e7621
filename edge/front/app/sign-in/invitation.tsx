import { useEffect, useState } from 'preact/hooks'
import type { PreviewInvitationResponse } from '../../../../gen/client/auth.ts'
import { platformColour } from '../../../../services/kernel/base/colours/colours.ts'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { type HotelBrand, showBrand } from '../platform/brand.ts'
import { useLast, useLoad, withoutBlanks } from '../platform/load.ts'
import { go, Link, useQuery } from '../platform/router.tsx'
import { joinInvited, platform, session, signOut, signUp } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Breakable, Facts } from '../ui/facts.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { ActionForm, useFields } from '../ui/form.tsx'
import { Card, PasswordField, StaySignedIn } from './card.tsx'
import { SignIn } from './sign-in.tsx'

/** Beginnings of the platform's messages, and the text that explains each. */
const refusalTexts: [status: number, message: RegExp, text: 'otherAddress' | 'known' | 'unconfirmed' | 'expired'][] = [
  [403, /./, 'otherAddress'],
  [409, /^(An account with this email|The address belongs to)/, 'known'],
  [409, /^Confirm the address/, 'unconfirmed'],
  [401, /./, 'expired'],
  [404, /./, 'expired'],
  [409, /./, 'expired'],
  [410, /./, 'expired'],
]

function useRefusals(error: unknown): Record<number, string> {
  const t = useTexts('sign-in/invitation')
  if (!(error instanceof PlatformError)) return {}
  const explanation = refusalTexts.find(([status, message]) => status === error.status && message.test(error.message))
  return explanation ? { [explanation[0]]: t[explanation[2]] } : {}
}

/** Target of the link in an invitation e-mail. A signed-in person joins with one click. */
export function Invitation() {
  const t = useTexts('sign-in/invitation')
  const { token } = useQuery('token')
  const now = useStore(session)
  const { value, error, reload } = useLoad(`invitation/${token}`, signal =>
    platform.auth.previewInvitation({ body: { token } }, { signal }),
  )
  // Signing up forgets what was loaded.
  const preview = useLast(value)
  const isUsed = preview?.status === 'accepted'
  const isSignedIn = now.kind === 'in'
  useEffect(() => {
    if (isUsed && isSignedIn) go('/', { replace: true })
  }, [isUsed, isSignedIn])
  useEffect(() => {
    if (preview) showBrand(hotelOf(preview))
  }, [preview])
  if (now.kind === 'starting' || (!preview && !error)) return <Loading />
  if (isUsed) return isSignedIn ? <Loading /> : <SignIn note={t.used} />
  if (preview?.status !== 'pending') {
    const isUnknown = !error || (error instanceof PlatformError && error.status < 429)
    return (
      <Card title={t.title} hotel={null}>
        <Problem
          error={error}
          statusTexts={{ 400: t.expired, 404: t.expired }}
          {...(!isUnknown && { onRetry: () => void reload() })}
        />
        {!error && <p class="note">{t.expired}</p>}
        <Link to="/">{t.toSignIn}</Link>
      </Card>
    )
  }
  return now.kind === 'in' ? (
    <Join token={token} preview={preview} email={now.user.email} />
  ) : (
    <SignUp token={token} preview={preview} />
  )
}

type InvitationProps = { token: string; preview: PreviewInvitationResponse }

const hotelOf = ({ hotelName: name, logo_url: logo, primary_color }: PreviewInvitationResponse): HotelBrand => ({
  name,
  logo,
  picture: null,
  colour: primary_color ?? platformColour,
})

/** Who invites whom, where to, and until when. */
function Offer({ preview }: Pick<InvitationProps, 'preview'>) {
  const t = useTexts('sign-in/invitation')
  const { inviterName: inviter, hotelName: hotel, email, expiresAt } = preview
  return (
    <>
      <p>{inviter ? fill(t.invitedBy, { inviter, hotel }) : fill(t.invited, { hotel })}</p>
      <Facts
        facts={[
          [t.email, <Breakable text={email} />],
          [t.validUntil, expiresAt && dateAndTimeOf(expiresAt)],
        ]}
      />
    </>
  )
}

/** The sign-in of somebody who is invited and has an account; then shows the invitation. */
export function InvitationSignIn() {
  const { kind } = useStore(session)
  return kind === 'out' || kind === 'ended' ? <SignIn /> : <Invitation />
}

/** Accepts the invitation with the account that is signed in. */
function Join({ token, preview, email }: InvitationProps & { email: string }) {
  const t = useTexts('sign-in/invitation')
  const join = useAction(async () => {
    await joinInvited(token)
    go('/', { replace: true })
  })
  const change = async () => {
    await signOut()
    go(signInAddress(token), { replace: true })
  }
  return (
    <Card title={t.title} hotel={hotelOf(preview)}>
      <Offer preview={preview} />
      <p>{fill(t.signedIn, { email })}</p>
      <ActionForm action={join} statusTexts={useRefusals(join.error)} submit={t.accept} />
      <Button variant="quiet" onClick={() => void change()}>
        {t.change}
      </Button>
    </Card>
  )
}

/** Accepts the invitation with a new account. */
function SignUp({ token, preview }: InvitationProps) {
  const t = useTexts('sign-in/invitation')
  const { values, field } = useFields({ password: '', firstName: '', lastName: '' })
  const [staySignedIn, setStay] = useState(false)
  const accept = useAction(async () => {
    const { password, firstName, lastName } = values
    await signUp({ token, password, ...withoutBlanks({ firstName, lastName }), staySignedIn })
    go('/', { replace: true })
  })
  return (
    <Card title={t.title} hotel={hotelOf(preview)}>
      <Offer preview={preview} />
      <p>{t.text}</p>
      <ActionForm action={accept} statusTexts={useRefusals(accept.error)} submit={t.accept}>
        <PasswordField isNew {...field('password', accept)} />
        <fieldset>
          <legend class="hint">{t.namesHint}</legend>
          <div class="fit">
            <TextField label={t.firstName} {...field('firstName', accept)} autocomplete="given-name" />
            <TextField label={t.lastName} {...field('lastName', accept)} autocomplete="family-name" />
          </div>
        </fieldset>
        <StaySignedIn checked={staySignedIn} onCheck={setStay} />
      </ActionForm>
      <p>
        <Link to={signInAddress(token)}>{t.signIn}</Link>
      </p>
    </Card>
  )
}

const signInAddress = (token: string) => `/invitation/sign-in?token=${encodeURIComponent(token)}`
