import { get } from './api.js'

/** An hour of samples, oldest first. */
const most = 360
let samples = []

/** The platform's status with its samples; only new samples are requested. */
export async function readStatus() {
  const status = await get('/console/api/status', { since: samples.at(-1)?.at ?? 0 })
  samples = [...samples, ...status.samples].slice(-most)
  return { ...status, samples }
}

export const forget = () => {
  samples = []
}

/** Events per second, from each sample to the next. */
export const published = all =>
  all.map((sample, at) => {
    const before = all[at - 1]
    if (!before || sample.published === null || before.published === null) return null
    // A recreated stream counts from one again.
    return Math.max(0, sample.published - before.published) / Math.max(1, (sample.at - before.at) / 1_000)
  })

/** Pending messages of all consumers together. */
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
