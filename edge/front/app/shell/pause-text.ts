import { pausedUntil } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, locale, useTexts } from '../platform/texts.ts'

/** When the page goes on, while the platform refuses to refresh its session. */
export function usePauseText(): string | undefined {
  const t = useTexts('shell/pause-text')
  return useStore(pausedUntil) && fill(t.paused, { time: pausedUntil.get()?.toLocaleTimeString(locale()) ?? '' })
}
