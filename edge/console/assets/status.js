import { get } from './api.js'

/** An hour of samples, oldest first. */
const most = 360
let samples = []

/** How the platform is, with the samples of before: only those that came since are asked for. */
export async function readStatus() {
  const status = await get('/console/api/status', { since: samples.at(-1)?.at ?? 0 })
  samples = [...samples, ...status.samples].slice(-most)
  return { ...status, samples }
}

export const forget = () => {
  samples = []
}

/** Events per second between samples: of each to the one before it. */
export const published = all =>
  all.map((sample, at) => {
    const before = all[at - 1]
    if (!before || sample.published === null || before.published === null) return null
    // A stream that was begun anew counts from one again.
    return Math.max(0, sample.published - before.published) / Math.max(1, (sample.at - before.at) / 1_000)
  })

/** Messages that wait for all consumers together. */
export const waiting = sample =>
  sample.waiting ? Object.values(sample.waiting).reduce((sum, one) => sum + one, 0) : null

export const names = {
  auth: 'Authentication',
  member: 'Members',
  hotel: 'Hotels',
  media: 'Media',
  news: 'News',
  notification: 'Notifications',
  payment: 'Payments',
}
