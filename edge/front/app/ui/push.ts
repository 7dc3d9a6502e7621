import { useAction } from '../platform/action.ts'
import { turnPushesOn } from '../platform/push/push.ts'
import { useTexts } from '../platform/texts.ts'
import { BlockedError } from './feedback.tsx'

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
