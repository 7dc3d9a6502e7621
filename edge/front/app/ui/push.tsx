import { useAction } from '../platform/action.ts'
import { declinePushes, isPushOffered, turnPushesOn } from '../platform/push/push.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from './controls.tsx'
import { BlockedError, Problem } from './feedback.tsx'

/** Asks whether this device should receive pushes. The browser's own question follows only after a yes. */
export function PushOffer() {
  const t = useTexts('shell/push-offer')
  const turnOn = useTurnPushesOn()
  if (!useStore(isPushOffered)) return null
  return (
    <section class="push-offer row wrap" aria-label={t.accept}>
      <p>{t.text}</p>
      <Button variant="main" action={turnOn}>
        {t.accept}
      </Button>
      <Button variant="quiet" onClick={declinePushes}>
        {t.decline}
      </Button>
      <Problem error={turnOn.error} />
    </section>
  )
}

/** The action that turns pushes on; says what the browser refuses. */
export function useTurnPushesOn() {
  const t = useTexts('ui/push')
  return useAction(async () => {
    try {
      await turnPushesOn()
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
      throw new BlockedError(Notification.permission === 'denied' ? t.blocked : t.unavailable)
    }
  })
}
