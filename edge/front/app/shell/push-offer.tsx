import { declinePushes, isPushOffered } from '../platform/push/push.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { useTurnPushesOn } from '../ui/push.ts'

/** Asks whether this device should receive pushes. The browser's own question follows only after a yes. */
export function PushOffer() {
  const t = useTexts('shell/push-offer')
  const turnOn = useTurnPushesOn()
  if (!useStore(isPushOffered)) return null
  return (
    <section class="push-offer" aria-label={t.accept}>
      <p>{t.text}</p>
      <Button variant="main" isBusy={turnOn.isRunning} onClick={() => void turnOn.run()}>
        {t.accept}
      </Button>
      <Button variant="quiet" onClick={declinePushes}>
        {t.decline}
      </Button>
      <Problem error={turnOn.error} />
    </section>
  )
}
