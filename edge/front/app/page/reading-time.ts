import { useEffect } from 'preact/hooks'
import { platform } from '../platform/session.ts'

/** Time between two reports, in ms. */
const pause = 20_000

const deviceType = (): 'mobile' | 'tablet' | 'desktop' => {
  const narrow = Math.min(screen.width, screen.height)
  if (!matchMedia('(pointer: coarse)').matches) return 'desktop'
  return narrow < 600 ? 'mobile' : 'tablet'
}

/** Reports how long the page was in front of the person, now and then and at the end. */
export function useReadingTime(pageId: string | undefined): void {
  useEffect(() => {
    if (!pageId) return
    let shownMs = 0
    let visibleSince = document.visibilityState === 'visible' ? performance.now() : undefined
    let reportedSeconds = 0
    const stop = () => {
      if (visibleSince !== undefined) shownMs += performance.now() - visibleSince
      visibleSince = undefined
    }
    const reportDuration = () => {
      const duration = Math.min(86_400, Math.round(shownMs / 1_000))
      if (duration <= reportedSeconds) return
      reportedSeconds = duration
      // The next report holds the whole duration, so a lost one doesn't matter.
      platform.news.updateView({ pageId, body: { duration, deviceType: deviceType() } }).catch(() => undefined)
    }
    const measure = () => {
      stop()
      reportDuration()
      if (document.visibilityState === 'visible') visibleSince = performance.now()
    }
    const timer = setInterval(measure, pause)
    document.addEventListener('visibilitychange', measure)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', measure)
      stop()
      reportDuration()
    }
  }, [pageId])
}
