import { setTimeout as sleep } from 'node:timers/promises'
import type { Platform } from '../../test/kit/platform/platform.ts'
import type { CrowdPerson } from './crowd.ts'
import { anyKind, perPersonAndHour, sendAsked } from './mix.ts'

/** An answer to a request of that moment (status 0: none); its time counts from when the request was due. */
export type TimedAnswer = { kind: string; status: number; isGood: boolean; ms: number; sentAt: Date; text: string }

export const requestsPerSecond = (active: number): number => (active * perPersonAndHour) / 3_600

/**
 * Requests of the busy hour at random moments, however slow the answers are. Resolves once all are answered.
 * @param active how many of the crowd make requests; above its size, some make several people's
 */
export async function loadDay(
  { urls }: Pick<Platform, 'urls'>,
  crowd: CrowdPerson[],
  { active, seconds }: { active: number; seconds: number },
): Promise<TimedAnswer[]> {
  const answers: Promise<TimedAnswer>[] = []
  const send = async (dueAt: number): Promise<TimedAnswer> => {
    const sentAt = new Date()
    const kind = anyKind()
    const person = crowd[Math.floor(Math.random() * Math.min(active, crowd.length))] as CrowdPerson
    const { status, text } = await sendAsked(urls, kind.ask(person))
    const isGood = status >= 200 && status < 300
    if (isGood) kind.heed?.(person, text)
    return {
      kind: kind.name,
      status,
      isGood,
      ms: performance.now() - dueAt,
      sentAt,
      text: isGood ? '' : text.slice(0, 300),
    }
  }
  const began = performance.now()
  const end = began + seconds * 1_000
  // Times between independent people are distributed exponentially.
  const gap = () => (-Math.log(1 - Math.random()) / requestsPerSecond(active)) * 1_000
  for (let dueAt = began + gap(); dueAt < end; dueAt += gap()) {
    const wait = dueAt - performance.now()
    if (wait > 0) await sleep(wait)
    answers.push(send(dueAt))
  }
  return Promise.all(answers)
}
