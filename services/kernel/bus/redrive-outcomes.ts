import type { Bus } from './bus.ts'
import { listDeadLetters } from './dead-letters.ts'
import { header, type StoredMessage } from './message.ts'

/** What became of a redriven message. */
interface RedriveOutcome {
  /** The redriven message's sequence in the stream. */
  sequence: number
  /** The number of the dead letter that was redriven. */
  redrivenFrom: number
  /** Pending until its consumer has settled it; failed when it is a dead letter again. */
  outcome: 'pending' | 'processed' | 'failed'
  /** The number of the new dead letter. */
  failedAs: number | undefined
}

/** The outcomes of redriven messages, by their sequences in the stream. Any other message is left out. */
export async function redriveOutcomes(bus: Bus, sequences: readonly number[]): Promise<RedriveOutcome[]> {
  const messages = await Promise.all(sequences.map(sequence => bus.read(bus.stream, sequence)))
  const redriven = messages.filter(one => one !== undefined).filter(isRedriven)
  if (redriven.length === 0) return []
  // A failed message is a dead letter before it is settled. Read in this order, a settled one without is processed.
  const { consumers } = await bus.backlog()
  const since = new Date(Math.min(...redriven.map(({ storedAt }) => storedAt.getTime())))
  const letters = await listDeadLetters(bus, { limit: Number.POSITIVE_INFINITY, since })
  return redriven.map(({ sequence, headers }) => {
    const durable = headers[header.redrivenFor]
    const failedLetter = letters.find(
      letter =>
        letter.durable === durable && letter.origin.stream === bus.stream && letter.origin.sequence === sequence,
    )
    const settledTo = consumers.find(one => one.durable === durable)?.settledTo ?? 0
    return {
      sequence,
      redrivenFrom: Number(headers[header.redrivenNumber]),
      outcome: failedLetter ? 'failed' : settledTo >= sequence ? 'processed' : 'pending',
      failedAs: failedLetter?.sequence,
    }
  })
}

const isRedriven = ({ headers }: StoredMessage): boolean => /^[1-9]\d{0,14}$/.test(headers[header.redrivenNumber] ?? '')
