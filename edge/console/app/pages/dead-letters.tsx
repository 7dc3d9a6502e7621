import { useEffect, useState } from 'preact/hooks'
import type {
  DeadLetter,
  DeadLetterReason,
  GetDeadLetterResponse,
  RedriveDeadLettersRequest,
} from '../../../../gen/client/notification.ts'
import { Button, Toggle } from '../../../front/app/ui/controls.tsx'
import { Breakable, Facts } from '../../../front/app/ui/facts.tsx'
import { BlockedError, Loading, notify } from '../../../front/app/ui/feedback.tsx'
import { Card } from '../../../front/app/ui/page.tsx'
import type { TableColumn } from '../../../front/app/ui/table.tsx'
import * as format from '../format.ts'
import {
  Badge,
  ChangeButton,
  type ChangeQuestion,
  confirmChange,
  Filter,
  JsonText,
  ListPager,
  Nothing,
  openSheet,
  TimeAgo,
} from '../parts.tsx'
import { readPlace, useFilters } from '../place.ts'
import { followRedrives, hasPendingRedrives, RedrivesCard, readOutcomes } from '../redrives.tsx'
import { refresh, useRefreshed } from '../refresh.ts'
import { messageOf, platform, statusOf } from '../session.ts'
import { DataTable } from '../table.tsx'

const textFilters = [
  ['type', 'Type', 'page.created'],
  ['reason', 'Reason', 'not found'],
  ['consumer', 'Consumer', 'notification'],
] as const
type Filters = { type: string; reason: string; consumer: string; by: string }

/** The filters that are set. */
const presentFilters = ({ type, reason, consumer }: Filters) => ({
  ...(type ? { type } : {}),
  ...(reason ? { reason } : {}),
  ...(consumer ? { consumer } : {}),
})

/** Dead letters: their reason, their content, and the possible actions. */
export function DeadLetters() {
  const [filters, setFilters] = useFilters(['type', 'reason', 'consumer', 'by'])
  const [page, setPage] = useState(1)
  const [selectedIds, setSelectedIds] = useState<ReadonlySet<string>>(new Set())
  // Outcomes of redrives follow soon.
  const everyMs = () => (hasPendingRedrives() ? 2_000 : 10_000)
  const answer = useRefreshed(JSON.stringify([filters, page]), everyMs, async () => {
    await readOutcomes()
    return platform.notification.listDeadLetters({ ...presentFilters(filters), page, limit: 20 })
  })
  useEffect(() => {
    const id = readPlace().query.get('id')
    if (id) void openLetter(id)
  }, [])
  const change = (next: Partial<Filters>) => {
    setPage(1)
    setFilters(next)
  }
  const isGrouped = filters.by === 'reason'
  return (
    <div class="stack">
      <RedrivesCard open={id => void openLetter(id)} />
      <Card
        title="Dead letters"
        hint="Fix the cause, then redrive. Only the consumer that failed receives the message again. Filters match a part of the text."
        extra={
          <div class="filters row wrap">
            {textFilters.map(([name, label, placeholder]) => (
              <Filter
                key={name}
                label={label}
                placeholder={placeholder}
                value={filters[name]}
                onValue={value => change({ [name]: value })}
              />
            ))}
            <Toggle
              label="View"
              value={isGrouped ? 'reason' : ''}
              choices={{ '': 'List', reason: 'By reason' }}
              onValue={by => change({ by })}
            />
          </div>
        }
      >
        {!answer ? (
          <Loading />
        ) : !answer.meta?.total ? (
          <Nothing title="No dead letters">
            {Object.keys(presentFilters(filters)).length > 0
              ? 'Nothing matches the filter.'
              : 'All messages were processed.'}
          </Nothing>
        ) : isGrouped ? (
          <DataTable
            label="Reasons"
            columns={reasonColumns(filters)}
            rows={answer.reasons}
            keyOf={one => one.reason}
            onRow={({ reason }) => change({ reason, by: '' })}
          />
        ) : (
          <>
            <ListActions
              filters={filters}
              total={answer.meta.total}
              letters={answer.data}
              // Those that have left the list are forgotten.
              ids={answer.data.map(({ id }) => id).filter(id => selectedIds.has(id))}
              clear={() => setSelectedIds(new Set())}
            />
            <DataTable
              label="Dead letters"
              columns={columns}
              rows={answer.data}
              keyOf={one => one.id}
              onRow={one => void openLetter(one.id)}
              selection={{ ids: selectedIds, nameOf, select: setSelectedIds }}
            />
            <ListPager list="dead letters" meta={answer.meta} go={setPage} />
          </>
        )}
      </Card>
    </div>
  )
}

const nameOf = (letter: DeadLetter): string => letter.type ?? letter.key

const columns: TableColumn<DeadLetter>[] = [
  {
    name: 'Type',
    cell: one => (
      <>
        <Breakable text={nameOf(one)} />
        <span class="hint">
          #{one.id}
          {one.redrivenFrom && `, redriven from #${one.redrivenFrom}`}
        </span>
      </>
    ),
    isWide: true,
  },
  { name: 'Reason', cell: one => one.reason, isWide: true },
  { name: 'Consumer', cell: one => one.consumer, isMinor: true },
  { name: 'Attempts', cell: one => format.count(one.attempts), isNumber: true, isMinor: true },
  { name: 'Dead-lettered', cell: one => <TimeAgo moment={one.failedAt} /> },
  {
    name: 'Action',
    cell: one => (
      <div class="actions">
        <ChangeButton label={`Redrive dead letter ${one.id}`} onClick={() => void redriveLetter(one)}>
          Redrive
        </ChangeButton>
        <ChangeButton label={`Discard dead letter ${one.id}`} onClick={() => void discardLetter(one)}>
          Discard
        </ChangeButton>
      </div>
    ),
  },
]

const reasonColumns = (filters: Filters): TableColumn<DeadLetterReason>[] => [
  { name: 'Reason', cell: one => one.reason, isWide: true },
  { name: 'Dead letters', cell: one => format.count(one.count), isNumber: true },
  { name: 'Latest', cell: one => <TimeAgo moment={one.failedAt} /> },
  {
    name: 'Action',
    cell: one => (
      <div class="actions">
        <ChangeButton
          label={`Redrive all ${format.count(one.count)}: ${one.reason}`}
          onClick={() => void redriveReason(one, filters)}
        >
          Redrive all {format.count(one.count)}
        </ChangeButton>
      </div>
    ),
  },
]

type ListActionsProps = { filters: Filters; total: number; letters: DeadLetter[]; ids: string[]; clear: () => void }

/** Actions on the selected dead letters, or on all that match. */
function ListActions({ filters, total, letters, ids, clear }: ListActionsProps) {
  const isFiltered = Object.keys(presentFilters(filters)).length > 0
  if (ids.length === 0)
    return (
      <div class="actions">
        <ChangeButton variant="main" onClick={() => void redriveMany(presentFilters(filters), { total, letters })}>
          Redrive all {format.count(total)}
          {isFiltered && ' matching'}
        </ChangeButton>
      </div>
    )
  return (
    <div class="actions">
      <b role="status">{format.count(ids.length)} selected</b>
      <ChangeButton variant="main" onClick={() => void redriveMany({ ids }, { total: ids.length, letters })}>
        Redrive selected
      </ChangeButton>
      <ChangeButton variant="danger" onClick={() => void discardMany(ids)}>
        Discard selected
      </ChangeButton>
      <Button class="small" onClick={clear}>
        Clear selection
      </Button>
    </div>
  )
}

/**
 * Asks for confirmation and acts. When two users act on one letter, the second one is told so.
 * @returns whether the letter is gone
 */
async function handleLetter(question: ChangeQuestion, act: () => Promise<void>): Promise<boolean> {
  let isGone = false
  const isDone = await confirmChange(question, () =>
    act().catch((error: unknown) => {
      isGone = statusOf(error) === 404
      throw isGone ? new BlockedError('Another user has already redriven or discarded it.') : error
    }),
  )
  return isDone || isGone
}

const redriveLetter = (letter: DeadLetter): Promise<boolean> =>
  handleLetter(
    {
      title: 'Redrive this message?',
      text: `${nameOf(letter)} is redelivered to ${letter.consumer}. If it fails again, it returns to this list under a new number.`,
      submit: 'Redrive',
    },
    async () => {
      const { id, sequence } = await platform.notification.redriveDeadLetter({ id: letter.id })
      followRedrives([{ id, sequence, name: nameOf(letter) }])
      notify(`Dead letter ${id} redriven; its outcome is pending.`)
    },
  )

const discardLetter = (letter: DeadLetter): Promise<boolean> =>
  handleLetter(
    {
      title: 'Discard this message?',
      text: `${nameOf(letter)} is deleted permanently. This cannot be undone.`,
      submit: 'Discard',
      isDanger: true,
    },
    async () => {
      await platform.notification.discardDeadLetter({ id: letter.id })
      notify(`Dead letter ${letter.id} discarded.`)
    },
  )

type RedriveScope = { total: number; letters?: DeadLetter[]; text?: string }

/** Redrives the dead letters of a filter, or those with the given ids. */
async function redriveMany(
  body: RedriveDeadLettersRequest,
  { total, letters = [], text }: RedriveScope,
): Promise<void> {
  const question = {
    title: `Redrive ${format.plural(total, 'dead letter')}?`,
    text: text ?? 'Each one is redelivered to its consumer, oldest first.',
    submit: 'Redrive',
  }
  await confirmChange(question, async () => {
    const { data, redriven, remaining } = await platform.notification.redriveDeadLetters({ body })
    const names = new Map(letters.map(one => [one.id, nameOf(one)]))
    followRedrives(data.map(one => ({ ...one, name: names.get(one.id) ?? '' })))
    const remainder = remaining > 0 ? ` ${format.count(remaining)} remaining: redrive again.` : ''
    notify(`${format.plural(redriven, 'dead letter')} redriven; outcomes are pending.${remainder}`)
  })
}

const redriveReason = ({ reason, count }: DeadLetterReason, { type, consumer }: Filters): Promise<void> =>
  redriveMany(
    // Type and consumer match parts of a text, the reason must be this one.
    type || consumer ? presentFilters({ type, consumer, reason, by: '' }) : { reason, exact: true },
    {
      total: count,
      text: `All dead letters with the reason “${reason}” are redelivered to their consumers, oldest first.`,
    },
  )

async function discardMany(ids: string[]): Promise<void> {
  let goneCount = 0
  const isDone = await confirmChange(
    {
      title: `Discard ${format.plural(ids.length, 'dead letter')}?`,
      text: 'The selected messages are deleted permanently. This cannot be undone.',
      submit: 'Discard',
      isDanger: true,
    },
    async () => {
      for (const id of ids)
        await platform.notification.discardDeadLetter({ id }).catch((error: unknown) => {
          if (statusOf(error) !== 404) throw error
          goneCount++
        })
    },
  )
  const note = goneCount > 0 ? ` ${format.count(goneCount)} had already been handled by another user.` : ''
  if (isDone) notify(`${format.plural(ids.length - goneCount, 'dead letter')} discarded.${note}`)
}

async function openLetter(id: string): Promise<void> {
  try {
    const answer = await platform.notification.getDeadLetter({ id })
    const letter = answer.deadLetter
    if (letter) openSheet(nameOf(letter), close => <LetterDetails letter={letter} answer={answer} close={close} />)
  } catch (error) {
    notify(statusOf(error) === 404 ? `Dead letter ${id} has been redriven or discarded.` : messageOf(error))
    void refresh()
  }
}

type LetterDetailsProps = { letter: DeadLetter; answer: GetDeadLetterResponse; close: () => void }

const LetterDetails = ({ letter, answer: { message, raw }, close }: LetterDetailsProps) => (
  <>
    <p class="note">{letter.reason}</p>
    <Facts
      facts={[
        ['Number', `#${letter.id}`],
        ['Redriven from', letter.redrivenFrom && `#${letter.redrivenFrom}`],
        ['Consumer', letter.consumer],
        ['Attempts', format.count(letter.attempts)],
        ['Published', format.time(letter.publishedAt)],
        ['Dead-lettered', format.time(letter.failedAt)],
        ['Routing key', <code>{letter.key}</code>],
        ['Message id', letter.messageId && <code>{letter.messageId}</code>],
        ['Occurrence', letter.occurrenceId && <code>{letter.occurrenceId}</code>],
        ['Workspace', letter.workspaceId && <code>{letter.workspaceId}</code>],
        ['Stream sequence', format.count(Number(letter.originSequence))],
      ]}
    />
    <h3>Content {!message && <Badge text="not a JSON object" tone="warn" />}</h3>
    {message ? <JsonText value={message} /> : <pre class="json">{raw}</pre>}
    <footer>
      <ChangeButton
        isLarge
        variant="danger"
        onClick={() => void discardLetter(letter).then(isGone => isGone && close())}
      >
        Discard
      </ChangeButton>
      <ChangeButton isLarge variant="main" onClick={() => void redriveLetter(letter).then(isGone => isGone && close())}>
        Redrive
      </ChangeButton>
    </footer>
  </>
)
