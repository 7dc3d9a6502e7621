import { useAction } from '../platform/action.ts'
import { canReceivePushes, sendsPushes } from '../platform/push/device.ts'
import { pushChoice, turnPushesOff } from '../platform/push/push.ts'
import { staysSignedIn } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { Checkbox } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'
import { useTurnPushesOn } from '../ui/push.ts'

/** Whether this device receives pushes. */
export function Pushes() {
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
    <section class="card">
      <h2>{t.title}</h2>
      <Checkbox
        label={t.label}
        hint={obstacle}
        checked={turnOn.isRunning || (isOn && !turnOff.isRunning)}
        disabled={!isOn && obstacle !== undefined}
        onCheck={isChecked => void (isChecked ? turnOn : turnOff).run()}
      />
      <Problem error={turnOn.error ?? turnOff.error} />
    </section>
  )
}
