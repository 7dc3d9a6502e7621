import { createStore } from './store.ts'

/** The time zone of the person's profile; undefined before it is known. */
export const profileZone = createStore<string | undefined>(undefined)

export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The person's time zone, in which all times are shown and typed. */
export const personZone = (): string => profileZone.get() ?? browserZone()

/** `2031-06-01T09:30`: what the clocks of a zone show at a moment. */
export function wallClock(time: number, timeZone = personZone()): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  }).formatToParts(time)
  const valueOf = (type: string) => parts.find(part => part.type === type)?.value ?? ''
  const day = [valueOf('year').padStart(4, '0'), valueOf('month'), valueOf('day')].join('-')
  return `${day}T${valueOf('hour')}:${valueOf('minute')}`
}

const dayMs = 86_400_000
const offsetAt = (time: number): number => Date.parse(`${wallClock(time)}Z`) - Math.floor(time / 60_000) * 60_000

/**
 * The moment at which the person's clocks show a time: of an hour that comes twice the first one, of an hour that is
 * skipped the same time after it.
 * @returns undefined for what is no time
 */
export function momentAt(wall: string): { time: number; clocks: 'skip' | 'repeat' | 'run' } | undefined {
  const asUtc = Date.parse(`${wall}Z`)
  if (Number.isNaN(asUtc)) return undefined
  const [before, after] = [offsetAt(asUtc - dayMs), offsetAt(asUtc + dayMs)]
  const moments = [...new Set([asUtc - before, asUtc - after])].filter(time => wallClock(time) === wall.slice(0, 16))
  const [first = asUtc - before] = moments
  return { time: first, clocks: moments.length === 0 ? 'skip' : moments.length === 2 ? 'repeat' : 'run' }
}
