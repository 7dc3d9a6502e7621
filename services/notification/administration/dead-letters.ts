import type { JsonObject } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { DeadLetterService } from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { NotFoundError, ServiceUnavailableError } from '../../kernel/base/errors.ts'
import { BusUnavailableError } from '../../kernel/bus/bus.ts'
import {
  type DeadLetter,
  discardDeadLetter,
  listDeadLetters,
  redriveDeadLetter,
} from '../../kernel/bus/dead-letters.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { pageMeta, paging } from '../../kernel/rpc/paging.ts'
import type { Rpc } from '../../kernel/rpc/server.ts'
import type { Context } from '../context.ts'

type Filter = { type?: string | undefined; consumer?: string | undefined }

/** Only this many of the newest are listed, or redriven by a call for all. */
const most = 10_000
const perCall = 1_000
const maxRaw = 10_000

/** Dead letters of all services. */
export function deadLetterService({ bus }: Context): Rpc {
  const matching = async ({ type, consumer }: Filter): Promise<DeadLetter[]> => {
    const letters = await reach(listDeadLetters(bus, { limit: most, ...(consumer ? { durable: consumer } : {}) }))
    return type === undefined ? letters : letters.filter(letter => textIn(letter.body, 'type') === type)
  }

  return implement(DeadLetterService, {
    async listDeadLetters(request) {
      const page = paging(request)
      const letters = await matching(request)
      return {
        data: letters.slice(page.offset, page.offset + page.limit).map(letterMessage),
        meta: pageMeta(letters.length, page),
      }
    },

    async getDeadLetter({ id }) {
      const sequence = sequenceOf(id)
      const [letter] = await reach(listDeadLetters(bus, { limit: 1, before: sequence + 1 }))
      if (letter?.sequence !== sequence) throw new NotFoundError('Dead letter not found')
      const { body } = letter
      const content = isObject(body) ? { message: body } : { raw: rawOf(body) }
      return { deadLetter: letterMessage(letter), ...content }
    },

    async redriveDeadLetter({ id }) {
      const messageId = await reach(redriveDeadLetter(bus, sequenceOf(id)))
      if (messageId === undefined) throw new NotFoundError('Dead letter not found')
      return { id, messageId }
    },

    async redriveDeadLetters(request) {
      const letters = (await matching(request)).toReversed()
      let redriven = 0
      for (const { sequence } of letters.slice(0, perCall)) {
        // A concurrent call may have redriven or discarded it.
        if ((await reach(redriveDeadLetter(bus, sequence))) !== undefined) redriven++
      }
      return { redriven, remaining: Math.max(0, letters.length - perCall) }
    },

    async discardDeadLetter({ id }) {
      if (!(await reach(discardDeadLetter(bus, sequenceOf(id))))) throw new NotFoundError('Dead letter not found')
      return { message: 'Dead letter discarded', id }
    },
  })
}

async function reach<T>(work: Promise<T>): Promise<T> {
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
  const published = Date.parse(textIn(metadata, 'timestamp') ?? '')
  return {
    id: String(letter.sequence),
    key: letter.subject,
    consumer: letter.durable,
    reason: letter.reason,
    attempts: letter.attempts,
    originSequence: String(letter.origin.sequence),
    publishedAt: timestampFromDate(Number.isNaN(published) ? letter.at : new Date(published)),
    failedAt: timestampFromDate(letter.at),
    ...(type === undefined ? {} : { type }),
    ...(letter.origin.id ? { messageId: letter.origin.id } : {}),
    ...(occurrenceId === undefined ? {} : { occurrenceId }),
    ...(workspaceId ? { workspaceId } : {}),
  }
}

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textIn = (value: unknown, name: string): string | undefined => {
  const found = isObject(value) ? value[name] : undefined
  return typeof found === 'string' ? found : undefined
}

const rawOf = (body: unknown): string => (typeof body === 'string' ? body : JSON.stringify(body)).slice(0, maxRaw)
