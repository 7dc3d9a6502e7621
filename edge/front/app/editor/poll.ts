import type { Poll } from '../../../../gen/client/news.ts'

/** A poll as it is written. */
export type PollInput = { question: string; options: string[]; multipleChoice: boolean; closesAt: string | null }

export const pollInputOf = (poll: Poll | undefined): PollInput => ({
  question: poll?.question ?? '',
  options: poll?.options.map(({ label }) => label) ?? ['', ''],
  multipleChoice: poll?.multipleChoice ?? false,
  closesAt: poll?.closesAt ?? null,
})

const texts = ({ options }: PollInput): string[] => options.map(option => option.trim()).filter(Boolean)

/** Whether it has the two different options that a poll needs. */
export const isReady = (poll: PollInput): boolean => texts(poll).length >= 2 && !hasTwins(poll)

export const hasTwins = (poll: PollInput): boolean => new Set(texts(poll)).size < texts(poll).length

export const pollBodyOf = (poll: PollInput) => ({
  question: poll.question.trim() || null,
  options: texts(poll),
  multipleChoice: poll.multipleChoice,
  closesAt: poll.closesAt,
})
