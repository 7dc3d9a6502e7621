import { pausedUntil } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, locale, useTexts } from '../platform/texts.ts'

/** Text that says when the platform accepts session refreshes again; undefined while it does. */
export function usePauseText(): string | undefined {
  const t = useTexts('shell/pause-text')
  return useStore(pausedUntil) && fill(t.paused, { time: pausedUntil.get()?.toLocaleTimeString(locale()) ?? '' })
}
