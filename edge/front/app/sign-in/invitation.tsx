import { useState } from 'preact/hooks'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { go, Link, useQuery } from '../platform/router.tsx'
import { joinInvited, session, signOut, signUp } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { Loading } from '../ui/feedback.tsx'
import { Card, CardForm } from './card.tsx'
import { PasswordField, StaySignedIn } from './fields.tsx'
import { SignIn } from './sign-in.tsx'

const words = texts({
  en: {
    title: 'Welcome to the team',
    text: 'Choose a password to accept your invitation.',
    firstName: 'First name',
    lastName: 'Last name',
    namesHint: 'Only if the name in your invitation is wrong.',
    accept: 'Accept the invitation',
    expired:
      'This invitation has expired, or has already been accepted or withdrawn. Ask your administrator for a new one.',
    signIn: 'Already have an account? Sign in',
    signedIn: (email: string) => `You are signed in as ${email}.`,
    change: 'Use another account',
    otherAddress: 'This invitation is for another e-mail address than that of your account.',
    known: 'Your e-mail address already has an account. Sign in to accept the invitation.',
    unconfirmed: 'Open the link in the e-mail that confirms your address first, then accept the invitation.',
  },
  fr: {
    title: 'Bienvenue dans l’équipe',
    text: 'Choisissez un mot de passe pour accepter votre invitation.',
    firstName: 'Prénom',
    lastName: 'Nom',
    namesHint: 'Seulement si le nom de votre invitation est incorrect.',
    accept: 'Accepter l’invitation',
    expired:
      'Cette invitation a expiré, a été annulée ou a déjà été acceptée. Demandez-en une nouvelle à votre administrateur.',
    signIn: 'Vous avez déjà un compte ? Se connecter',
    signedIn: (email: string) => `Vous êtes connecté en tant que ${email}.`,
    change: 'Utiliser un autre compte',
    otherAddress: 'Cette invitation est destinée à une autre adresse e-mail que celle de votre compte.',
    known: 'Votre adresse e-mail a déjà un compte. Connectez-vous pour accepter l’invitation.',
    unconfirmed: 'Ouvrez d’abord le lien de l’e-mail qui confirme votre adresse, puis acceptez l’invitation.',
  },
})

/** Beginnings of the platform's messages, and the text that explains each. */
const explained: [status: number, message: RegExp, text: 'otherAddress' | 'known' | 'unconfirmed' | 'expired'][] = [
  [403, /./, 'otherAddress'],
  [409, /^(An account with this email|The address belongs to)/, 'known'],
  [409, /^Confirm the address/, 'unconfirmed'],
  [401, /./, 'expired'],
  [404, /./, 'expired'],
  [409, /./, 'expired'],
  [410, /./, 'expired'],
]

function useRefusals(error: unknown): Record<number, string> {
  const t = useTexts(words)
  if (!(error instanceof PlatformError)) return {}
  const found = explained.find(([status, message]) => status === error.status && message.test(error.message))
  return found ? { [found[0]]: t[found[2]] } : {}
}

/** Target of the link in an invitation e-mail. A signed-in person joins with one click. */
export function Invitation() {
  const token = useQuery().get('token') ?? ''
  const now = useStore(session)
  if (now.kind === 'starting') return <Loading />
  return now.kind === 'in' ? <Join token={token} email={now.user.email} /> : <SignUp token={token} />
}

/** The sign-in of somebody who is invited and has an account; then shows the invitation. */
export function InvitationSignIn() {
  const { kind } = useStore(session)
  return kind === 'out' || kind === 'ended' ? <SignIn hasEnded={false} /> : <Invitation />
}

/** Accepts the invitation with the account that is signed in. */
function Join({ token, email }: { token: string; email: string }) {
  const t = useTexts(words)
  const join = useAction(async () => {
    await joinInvited(token)
    go('/', { replace: true })
  })
  const change = async () => {
    await signOut()
    go(signInAddress(token), { replace: true })
  }
  return (
    <Card title={t.title}>
      <p>{t.signedIn(email)}</p>
      <CardForm action={join} own={useRefusals(join.error)} submit={t.accept}>
        {null}
      </CardForm>
      <Button look="quiet" onClick={() => void change()}>
        {t.change}
      </Button>
    </Card>
  )
}

/** Accepts the invitation with a new account. */
function SignUp({ token }: { token: string }) {
  const t = useTexts(words)
  const [password, setPassword] = useState('')
  const [firstName, setFirstName] = useState('')
  const [lastName, setLastName] = useState('')
  const [staySignedIn, setStay] = useState(false)
  const accept = useAction(async () => {
    const names = { ...(firstName ? { firstName } : {}), ...(lastName ? { lastName } : {}) }
    await signUp({ token, password, ...names, staySignedIn })
    go('/', { replace: true })
  })
  return (
    <Card title={t.title}>
      <p>{t.text}</p>
      <CardForm action={accept} own={useRefusals(accept.error)} submit={t.accept}>
        <PasswordField isNew value={password} onValue={setPassword} error={accept.fields['password']} />
        <TextField
          label={t.firstName}
          error={accept.fields['firstName']}
          autocomplete="given-name"
          value={firstName}
          onValue={setFirstName}
        />
        <TextField
          label={t.lastName}
          hint={t.namesHint}
          error={accept.fields['lastName']}
          autocomplete="family-name"
          value={lastName}
          onValue={setLastName}
        />
        <StaySignedIn checked={staySignedIn} onCheck={setStay} />
      </CardForm>
      <p>
        <Link to={signInAddress(token)}>{t.signIn}</Link>
      </p>
    </Card>
  )
}

const signInAddress = (token: string) => `/invitation/sign-in?token=${encodeURIComponent(token)}`
