import { useEffect, useState } from 'preact/hooks'
import { useAction } from '../platform/action.ts'
import { Link, useQuery } from '../platform/router.tsx'
import { enter, platform, session } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'
import { Card } from './card.tsx'

const words = texts({
  en: {
    title: 'Confirm your e-mail address',
    text: 'Please confirm that this address is yours.',
    confirm: 'Confirm the address',
    done: 'Your address is confirmed.',
    expired: 'This link has expired or has already been used.',
    go: 'Continue',
  },
  fr: {
    title: 'Confirmez votre adresse e-mail',
    text: 'Confirmez que cette adresse est bien la vôtre.',
    confirm: 'Confirmer l’adresse',
    done: 'Votre adresse est confirmée.',
    expired: 'Ce lien a expiré ou a déjà servi.',
    go: 'Continuer',
  },
})

/** Target of the link in a confirmation e-mail. A button confirms, because mail scanners open links. */
export function ConfirmAddress() {
  const t = useTexts(words)
  const token = useQuery().get('token') ?? ''
  const [isDone, setDone] = useState(false)
  const { run, isRunning, error, clear } = useAction(async () => {
    await platform.auth.verifyEmail({ body: { token } })
    // The link may bring the address that an administrator set.
    if (session.get().kind === 'in') await enter().catch(() => undefined)
    setDone(true)
  })
  useEffect(clear, [token])
  return (
    <Card title={t.title}>
      <Problem error={error} own={{ 400: t.expired, 401: t.expired, 404: t.expired, 409: t.expired, 410: t.expired }} />
      {isDone ? (
        <>
          <p class="note" role="status">
            {t.done}
          </p>
          <p>
            <Link to="/" class="button main">
              {t.go}
            </Link>
          </p>
        </>
      ) : (
        <>
          <p>{t.text}</p>
          {isRunning && <Loading />}
          <Button look="main" isBusy={isRunning} onClick={() => void run()}>
            {t.confirm}
          </Button>
        </>
      )}
    </Card>
  )
}
