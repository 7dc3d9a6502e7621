import { quantile } from '../support/figures.ts'
import type { TimedAnswer } from './load.ts'
import { kinds } from './mix.ts'

const limits = { read: 100, write: 250 }

/** Times of good answers to some kinds of requests, in ms. */
export const timesOf = (answers: TimedAnswer[], names: string[]): number[] =>
  answers.filter(({ kind, isGood }) => isGood && names.includes(kind)).map(({ ms }) => ms)

export const groupTimes = (answers: TimedAnswer[], group: 'read' | 'write'): number[] =>
  timesOf(
    answers,
    kinds.filter(kind => kind.group === group).map(({ name }) => name),
  )

/** Whether the 99th percentile of reads is within 100 ms and that of writes within 250 ms. */
export const isFast = (answers: TimedAnswer[]): boolean =>
  (['read', 'write'] as const).every(group => quantile(groupTimes(answers, group), 0.99) <= limits[group])
