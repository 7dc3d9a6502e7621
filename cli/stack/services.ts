/** The services, each with its own database, in the order of their ports. */
export const services = ['auth', 'member', 'hotel', 'media', 'news', 'notification', 'payment'] as const

export type Service = (typeof services)[number]

/** Prints one line of progress. */
export type Print = (line: string) => void

/** A duration for people: 0.3 s, 12 s. */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`
}
