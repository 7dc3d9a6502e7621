import { pausedUntil } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { locale, texts, useTexts } from '../platform/texts.ts'

const words = texts({
  en: { paused: (time: string) => `Too many requests. This page goes on by itself at ${time}.` },
  fr: { paused: (time: string) => `Trop de requêtes. Cette page reprend d’elle-même à ${time}.` },
})

/** When the page goes on, while the platform refuses to refresh its session. */
export function usePauseText(): string | undefined {
  const t = useTexts(words)
  return useStore(pausedUntil) && t.paused(pausedUntil.get()?.toLocaleTimeString(locale()) ?? '')
}
