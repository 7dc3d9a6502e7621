import { useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { go, Link, useQuery } from '../platform/router.tsx'
import { acceptInvitation, session } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { TextField } from '../ui/controls.tsx'
import { Card, CardForm } from './card.tsx'
import { PasswordField, StaySignedIn } from './fields.tsx'

const words = texts({
  en: {
    title: 'Welcome to the team',
    text: 'Choose a password to accept your invitation.',
    known: 'If you already have an account, enter its password.',
    firstName: 'First name',
    lastName: 'Last name',
    namesHint: 'Only if the name in your invitation is wrong.',
    accept: 'Accept the invitation',
    expired:
      'This invitation has expired, or has already been accepted or withdrawn. Ask your administrator for a new one.',
    signIn: 'Already accepted? Sign in',
  },
  fr: {
    title: 'Bienvenue dans l’équipe',
    text: 'Choisissez un mot de passe pour accepter votre invitation.',
    known: 'Si vous avez déjà un compte, saisissez son mot de passe.',
    firstName: 'Prénom',
    lastName: 'Nom',
    namesHint: 'Seulement si le nom de votre invitation est incorrect.',
    accept: 'Accepter l’invitation',
    expired:
      'Cette invitation a expiré, a été annulée ou a déjà été acceptée. Demandez-en une nouvelle à votre administrateur.',
    signIn: 'Déjà acceptée ? Se connecter',
  },
})

/** Target of the link in an invitation e-mail. A signed-in person joins with one click. */
export function Invitation() {
  const t = useTexts(words)
  const token = useQuery().get('token') ?? ''
  const isSignedIn = useStore(session).kind === 'in'
  const [password, setPassword] = useState('')
  const [firstName, setFirstName] = useState('')
  const [lastName, setLastName] = useState('')
  const [staySignedIn, setStay] = useState(false)
  const accept = useAction(async () => {
    await acceptInvitation({
      token,
      ...(isSignedIn ? {} : { password }),
      ...(firstName ? { firstName } : {}),
      ...(lastName ? { lastName } : {}),
      staySignedIn,
    })
    go('/', { replace: true })
  })
  return (
    <Card title={t.title}>
      {!isSignedIn && (
        <p>
          {t.text} {t.known}
        </p>
      )}
      <CardForm
        action={accept}
        own={{ 401: t.expired, 404: t.expired, 409: t.expired, 410: t.expired }}
        submit={t.accept}
      >
        {!isSignedIn && (
          <>
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
          </>
        )}
      </CardForm>
      <p>
        <Link to="/">{t.signIn}</Link>
      </p>
    </Card>
  )
}
