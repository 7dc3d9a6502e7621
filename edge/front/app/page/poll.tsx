import { useEffect, useId, useState } from 'preact/hooks'
import type { Poll } from '../../../../gen/client/news.ts'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { dateAndTimeOf, fill, useTexts } from '../platform/texts.ts'
import { Button, Form } from '../ui/controls.tsx'
import { Problem } from '../ui/feedback.tsx'

/** How often the results are loaded, in ms: votes send no frame. */
const pollMs = 5_000

/** The poll of a page: the vote, and the results as others vote. */
export function PollCard({ pageId }: { pageId: string }) {
  const t = useTexts('page/poll')
  const poll = useLoad(`poll/${pageId}`, signal => platform.news.getPoll({ pageId }, { signal }))
  const [isChanging, setChanging] = useState(false)
  const { reload } = poll
  /** Shows the poll after the reader's vote, and reloads it, because an answer on its way may be older. */
  const show = (after: Poll) => {
    poll.change(() => after)
    void reload()
  }
  const isOpen = poll.value?.isClosed === false
  useEffect(() => {
    if (!isOpen) return
    const refresh = () => document.visibilityState === 'visible' && void reload()
    const timer = setInterval(refresh, pollMs)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [isOpen, reload])
  const withdraw = useAction(async () => {
    show(await platform.news.removeVote({ pageId }))
  })
  if (poll.error instanceof PlatformError && poll.error.status === 404) return null
  if (!poll.value) return <Problem error={poll.error} onRetry={() => void reload()} />
  const { question, isClosed, closesAt, votersCount, ownOptionIds } = poll.value
  const hasVoted = ownOptionIds.length > 0
  return (
    <section class="card poll" aria-label={t.poll}>
      {question && <h2 dir="auto">{question}</h2>}
      {!isClosed && (!hasVoted || isChanging) ? (
        <Ballot
          poll={poll.value}
          onVoted={after => {
            show(after)
            setChanging(false)
          }}
        />
      ) : (
        <Results poll={poll.value} />
      )}
      <p class="hint">
        {fill(t.voters, { count: votersCount })}
        {isClosed ? ` · ${t.closed}` : closesAt ? ` · ${fill(t.closes, { at: dateAndTimeOf(closesAt) })}` : ''}
      </p>
      {hasVoted && !isClosed && !isChanging && (
        <div class="actions">
          <Button class="small" onClick={() => setChanging(true)}>
            {t.change}
          </Button>
          <Button class="small" variant="quiet" action={withdraw}>
            {t.withdraw}
          </Button>
        </div>
      )}
      <Problem error={withdraw.error} statusTexts={{ 409: t.closedNow }} />
    </section>
  )
}

function Ballot({ poll, onVoted }: { poll: Poll; onVoted: (after: Poll) => void }) {
  const t = useTexts('page/poll')
  const [chosenIds, setChosenIds] = useState<string[]>(poll.ownOptionIds)
  const vote = useAction(async () => {
    onVoted(await platform.news.vote({ pageId: poll.pageId, body: { optionIds: chosenIds } }))
  })
  const pickOption = (id: string, isPicked: boolean) => {
    if (!poll.multipleChoice) return setChosenIds([id])
    setChosenIds(before => (isPicked ? [...before, id] : before.filter(one => one !== id)))
  }
  return (
    <Form onSubmit={() => void (chosenIds.length > 0 && vote.run())}>
      <Options poll={poll} chosenIds={chosenIds} onPick={pickOption} />
      <Problem error={vote.error} statusTexts={{ 409: t.closedNow }} />
      <div class="actions">
        <Button variant="main" type="submit" isBusy={vote.isRunning} disabled={chosenIds.length === 0}>
          {t.vote}
        </Button>
      </div>
    </Form>
  )
}

type Choice = Pick<Poll, 'question' | 'multipleChoice'> & { options: { id: string; label: string }[] }
type OptionsProps = { poll: Choice; chosenIds: string[]; onPick?: (id: string, isPicked: boolean) => void }

/** What voters choose from; for reading only without `onPick`. */
function Options({ poll, chosenIds, onPick }: OptionsProps) {
  const t = useTexts('page/poll')
  const name = useId()
  return (
    <fieldset disabled={!onPick}>
      <legend class="unseen">{poll.question ?? t.poll}</legend>
      {poll.multipleChoice && <p class="hint">{t.several}</p>}
      {poll.options.map(({ id, label }) => (
        <label key={id} class="option row">
          <input
            type={poll.multipleChoice ? 'checkbox' : 'radio'}
            name={name}
            checked={chosenIds.includes(id)}
            onChange={event => onPick?.(id, event.currentTarget.checked)}
          />
          <span dir="auto">{label}</span>
        </label>
      ))}
    </fieldset>
  )
}

type PollPreviewProps = { poll: Pick<Poll, 'question' | 'multipleChoice' | 'closesAt'> & { options: string[] } }

/** A poll as its voters will see it. */
export function PollPreview({ poll }: PollPreviewProps) {
  const t = useTexts('page/poll')
  const options = poll.options.map((label, index) => ({ id: String(index), label }))
  return (
    <section class="card poll" aria-label={t.poll}>
      {poll.question && <h2 dir="auto">{poll.question}</h2>}
      <Options poll={{ ...poll, options }} chosenIds={[]} />
      {poll.closesAt && <p class="hint">{fill(t.closes, { at: dateAndTimeOf(poll.closesAt) })}</p>}
    </section>
  )
}

function Results({ poll }: { poll: Poll }) {
  const t = useTexts('page/poll')
  return (
    <ul class="results stack tight">
      {poll.options.map(({ id, label, voteCount }) => {
        const percent = poll.votersCount > 0 ? Math.round((voteCount / poll.votersCount) * 100) : 0
        const isOwn = poll.ownOptionIds.includes(id)
        return (
          <li key={id} class={isOwn ? 'row wrap own' : 'row wrap'} style={{ '--share': `${percent}%` }}>
            <span dir="auto">{label}</span>
            {isOwn && <span class="tag">{t.yours}</span>}
            <span class="soft push">{fill(t.share, { count: voteCount, percent })}</span>
          </li>
        )
      })}
    </ul>
  )
}
