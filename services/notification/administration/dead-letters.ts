import type { JsonObject } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import {
  DeadLetterService,
  type ListDeadLettersRequest,
} from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { invalid, NotFoundError, ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { BusUnavailableError } from '../../kernel/bus/bus.ts'
import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  redriveDeadLetter,
} from '../../kernel/bus/dead-letters.ts'
import { redriveOutcomes } from '../../kernel/bus/redrive-outcomes.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Context } from '../context.ts'

type Filter = Pick<ListDeadLettersRequest, 'type' | 'consumer' | 'reason' | 'exact'>

/** Only this many of the newest are listed, or redriven by a call for all. */
const maxListed = 10_000
const perCall = 1_000
const mostReasons = 50
const maxRaw = 10_000

/** Dead letters of all services. */
export function deadLetterService({ bus }: Context): Rpc {
  const matchingLetters = async (filter: Filter): Promise<DeadLetter[]> => {
    const matchesFilter = filterMatcher(filter)
    return (await throwUnavailable(listDeadLetters(bus, { limit: maxListed }))).filter(matchesFilter)
  }

  return implement(DeadLetterService, {
    async listDeadLetters(request) {
      const page = paging(request)
      const letters = await matchingLetters(request)
      return {
        data: letters.slice(page.offset, page.offset + page.limit).map(letterMessage),
        meta: pageMeta(letters.length, page),
        reasons: reasonsOf(letters),
      }
    },

    async getDeadLetter({ id }) {
      const sequence = sequenceOf(id)
      const [letter] = await throwUnavailable(listDeadLetters(bus, { limit: 1, before: sequence + 1 }))
      if (letter?.sequence !== sequence) throw new NotFoundError('Dead letter not found')
      const { body } = letter
      const content = isObject(body) ? { message: body } : { raw: rawOf(body) }
      return { deadLetter: letterMessage(letter), ...content }
    },

    async redriveDeadLetter({ id }) {
      const redrivenLetter = await throwUnavailable(redriveDeadLetter(bus, sequenceOf(id)))
      if (!redrivenLetter) throw new NotFoundError('Dead letter not found')
      return { id, messageId: redrivenLetter.id, sequence: String(redrivenLetter.sequence) }
    },

    async redriveDeadLetters(request) {
      const { ids, type, consumer, reason } = request
      if (ids.length > 0 && [type, consumer, reason].some(Boolean))
        throw invalid('ids', 'must be the only filter', 'alone')
      const sequences =
        ids.length > 0 ? ids.map(sequenceOf) : (await matchingLetters(request)).map(({ sequence }) => sequence)
      const oldestFirst = sequences.toSorted((a, b) => a - b)
      const data = []
      for (const number of oldestFirst.slice(0, perCall)) {
        // A concurrent call may have redriven or discarded it.
        const redrivenLetter = await throwUnavailable(redriveDeadLetter(bus, number))
        if (redrivenLetter) data.push({ id: String(number), sequence: String(redrivenLetter.sequence) })
      }
      return { redriven: data.length, remaining: Math.max(0, sequences.length - perCall), data }
    },

    async getRedriveOutcomes({ sequences }) {
      const outcomes = await throwUnavailable(redriveOutcomes(bus, sequences.map(Number).filter(Number.isSafeInteger)))
      return {
        data: outcomes.map(({ sequence, redrivenFrom, outcome, failedAs }) => ({
          sequence: String(sequence),
          id: String(redrivenFrom),
          outcome,
          ...(failedAs === undefined ? {} : { failedId: String(failedAs) }),
        })),
      }
    },

    async discardDeadLetter({ id }) {
      if (!(await throwUnavailable(discardDeadLetter(bus, sequenceOf(id)))))
        throw new NotFoundError('Dead letter not found')
      return { message: 'Dead letter discarded', id }
    },
  })
}

/** Whether a dead letter has the texts of a filter, ignoring case. */
function filterMatcher({ type, consumer, reason, exact = false }: Filter): (letter: DeadLetter) => boolean {
  const contains = (text: string, pattern: string | undefined) => {
    if (pattern === undefined) return true
    const [one, searchedText] = [text.toLowerCase(), pattern.toLowerCase()]
    return exact ? one === searchedText : one.includes(searchedText)
  }
  return letter =>
    contains(nameOf(letter), type) && contains(letter.durable, consumer) && contains(letter.reason, reason)
}

/** The type, or the key of a message that has none. */
const nameOf = ({ body, subject }: DeadLetter): string => textIn(body, 'type') ?? subject

/** Each reason with its number of letters, the most frequent first; the letters are newest first. */
function reasonsOf(letters: DeadLetter[]) {
  return [...Map.groupBy(letters, ({ reason }) => reason)]
    .map(([reason, all]) => ({
      reason,
      count: all.length,
      failedAt: timestampFromDate(all[0]?.storedAt ?? new Date(0)),
    }))
    .toSorted((a, b) => b.count - a.count)
    .slice(0, mostReasons)
}

async function throwUnavailable<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof BusUnavailableError) throw new ServiceUnavailableError(undefined, { cause: error })
    throw error
  }
}

/** Sequences above the largest exact integer don't exist. */
function sequenceOf(id: string): number {
  const sequence = Number(id)
  if (!Number.isSafeInteger(sequence)) throw new NotFoundError('Dead letter not found')
  return sequence
}

function letterMessage(letter: DeadLetter) {
  const { body } = letter
  const metadata = isObject(body) ? body['metadata'] : undefined
  const type = textIn(body, 'type')
  const occurrenceId = textIn(metadata, 'occurrenceId')
  const workspaceId = textIn(body, 'workspaceId')
  const publishedMs = Date.parse(textIn(metadata, 'timestamp') ?? '')
  return {
    id: String(letter.sequence),
    key: letter.subject,
    consumer: letter.durable,
    reason: letter.reason,
    attempts: letter.attempts,
    originSequence: String(letter.origin.sequence),
    publishedAt: timestampFromDate(Number.isNaN(publishedMs) ? letter.storedAt : new Date(publishedMs)),
    failedAt: timestampFromDate(letter.storedAt),
    ...(type === undefined ? {} : { type }),
    ...(letter.origin.id ? { messageId: letter.origin.id } : {}),
    ...(occurrenceId === undefined ? {} : { occurrenceId }),
    ...(workspaceId ? { workspaceId } : {}),
    ...(letter.redrivenFrom === undefined ? {} : { redrivenFrom: String(letter.redrivenFrom) }),
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (value: unknown, name: string): string | undefined => {
  const fieldValue = isObject(value) ? value[name] : undefined
  return typeof fieldValue === 'string' ? fieldValue : undefined
}

const rawOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, maxRaw)
