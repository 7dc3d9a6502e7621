import { createStore, useStore } from '../../front/app/platform/store.ts'
import { Button } from '../../front/app/ui/controls.tsx'
import { notify } from '../../front/app/ui/feedback.tsx'
import { Card } from '../../front/app/ui/page.tsx'
import * as format from './format.ts'
import { Badge, type Tone } from './parts.tsx'
import { platform } from './session.ts'

type RedrivenLetter = { id: string; sequence: string; name: string }
type Redrive = RedrivenLetter & { redrivenAt: number; outcome: string; failedId: string | null }

/** Dead letters redriven in this tab, newest first. */
const redrives = createStore<Redrive[]>([])
/** Maximum of outcomes per request, and of redrives that are listed by name. */
const [maxOutcomes, maxNames] = [100, 12]

export const forgetRedrives = (): void => redrives.set([])

/** Follows redriven messages. */
export function followRedrives(letters: RedrivenLetter[]): void {
  const redrivenAt = Date.now()
  const next = letters.toReversed().map(letter => ({ ...letter, redrivenAt, outcome: 'pending', failedId: null }))
  redrives.set(current => [...next, ...current].slice(0, 2_000))
}

const isPending = ({ outcome }: Redrive): boolean => outcome === 'pending'
export const hasPendingRedrives = (): boolean => redrives.get().some(isPending)

/** Reads the outcomes that are still pending, and reports those that are settled. */
export async function readOutcomes(): Promise<void> {
  const pending = redrives.get().filter(isPending).slice(-maxOutcomes)
  if (pending.length === 0) return
  const { data } = await platform.notification.getRedriveOutcomes({ sequences: pending.map(one => one.sequence) })
  const settledRedrives = pending.flatMap(one => {
    // The stream no longer holds a message without an outcome.
    const { outcome, failedId } = data.find(({ sequence }) => sequence === one.sequence) ?? {
      outcome: 'unknown',
      failedId: null,
    }
    return outcome === 'pending' ? [] : [{ ...one, outcome, failedId }]
  })
  redrives.set(current => current.map(one => settledRedrives.find(({ sequence }) => sequence === one.sequence) ?? one))
  if (settledRedrives.length > 0) notify(reportOf(settledRedrives))
}

function reportOf(settledRedrives: Redrive[]): string {
  const failedRedrives = settledRedrives.filter(({ outcome }) => outcome === 'failed')
  const single = settledRedrives.length === 1 ? settledRedrives[0] : undefined
  if (single && failedRedrives.length === 1)
    return `Dead letter ${single.id} failed again, as number ${single.failedId}.`
  if (failedRedrives.length > 0) return `${format.plural(failedRedrives.length, 'redriven dead letter')} failed again.`
  return single ? `Dead letter ${single.id} was processed.` : `${format.count(settledRedrives.length)} were processed.`
}

/** Outcomes, the most important first. */
const outcomes: [outcome: string, word: string, tone: Tone][] = [
  ['failed', 'failed again', 'bad'],
  ['pending', 'pending', 'info'],
  ['unknown', 'unknown', 'quiet'],
  ['processed', 'processed', 'good'],
]

/** The redriven dead letters with their outcomes. @param open shows a dead letter by its id */
export function RedrivesCard({ open }: { open: (id: string) => void }) {
  const current = useStore(redrives)
  if (current.length === 0) return null
  const groups = outcomes.map(([outcome, word, tone]) => ({
    word,
    tone,
    members: current.filter(one => one.outcome === outcome),
  }))
  const rows = groups.flatMap(({ word, tone, members }) => members.map(one => ({ one, word, tone })))
  return (
    <Card
      title="Redrives"
      hint="Processed, or failed again under a new number"
      extra={
        <div class="actions">
          {groups.map(
            ({ word, tone, members }) =>
              members.length > 0 && <Badge key={word} text={`${format.count(members.length)} ${word}`} tone={tone} />,
          )}
          <Button class="small" onClick={() => redrives.set(current.filter(isPending))}>
            Clear
          </Button>
        </div>
      }
    >
      <ul class="rows" aria-label="Redrives">
        {rows.slice(0, maxNames).map(({ one, word, tone }) => (
          <li key={one.sequence}>
            <b>
              #{one.id} {one.name}
            </b>
            <span>
              <Badge text={word} tone={tone} />
              {one.failedId && (
                <>
                  {' as '}
                  <a
                    href={`#/dead-letters?id=${one.failedId}`}
                    onClick={event => {
                      event.preventDefault()
                      open(one.failedId ?? '')
                    }}
                  >
                    #{one.failedId}
                  </a>
                </>
              )}
            </span>
            <span class="hint">
              {format.exactTime(one.redrivenAt)} {format.zone}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > maxNames && <p class="hint">{format.count(rows.length - maxNames)} more</p>}
    </Card>
  )
}
