import { get } from './api.js'
import { toast } from './dialogs.js'
import { h } from './dom.js'
import * as format from './format.js'
import { badge, button, card } from './widgets.js'

/** Dead letters redriven in this tab, newest first: {id, sequence, name, at, outcome, failedId}. */
let redriven = []
const atOnce = 100
/** Named in full; the others are counted. */
const most = 12
/** How often outcomes are asked for while some are pending, in ms. */
export const soonMs = 2_000

export const forget = () => {
  redriven = []
}

/** Follows redriven messages. @param items {id, sequence, name} */
export function follow(items) {
  const at = Date.now()
  redriven = [...items.toReversed().map(one => ({ ...one, at, outcome: 'pending' })), ...redriven].slice(0, 2_000)
}

const isPending = ({ outcome }) => outcome === 'pending'
export const arePending = () => redriven.some(isPending)

/** Asks for the outcomes that are still pending, and reports those that are settled. */
export async function ask() {
  const waiting = redriven.filter(isPending).slice(-atOnce)
  if (waiting.length === 0) return
  const { data } = await get('/api/v1/dead-letters/outcomes', { sequences: waiting.map(({ sequence }) => sequence) })
  const settled = []
  for (const one of waiting) {
    const found = data.find(({ sequence }) => sequence === one.sequence)
    // The stream no longer holds the message.
    const { outcome, failedId } = found ?? { outcome: 'unknown' }
    if (outcome === 'pending') continue
    Object.assign(one, { outcome, failedId })
    settled.push(one)
  }
  if (settled.length > 0) report(settled)
}

function report(settled) {
  const failed = settled.filter(({ outcome }) => outcome === 'failed')
  const [one] = settled
  if (settled.length === 1 && failed.length === 1)
    return toast(`Dead letter ${one.id} failed again, as number ${one.failedId}.`, 'warn')
  if (failed.length > 0) return toast(`${format.many(failed.length, 'redriven dead letter')} failed again.`, 'warn')
  toast(
    settled.length === 1 ? `Dead letter ${one.id} was processed.` : `${format.count(settled.length)} were processed.`,
  )
}

const words = { pending: 'pending', processed: 'processed', failed: 'failed again', unknown: 'unknown' }
const tones = { pending: 'info', processed: 'good', failed: 'bad', unknown: 'quiet' }

/** The redriven dead letters and what became of them; nothing without any. @param open shows a dead letter by its id */
export function redrivesCard(open, again) {
  if (redriven.length === 0) return null
  const counts = ['failed', 'pending', 'processed', 'unknown']
    .map(outcome => [outcome, redriven.filter(one => one.outcome === outcome).length])
    .filter(([, count]) => count > 0)
  const order = ['failed', 'pending', 'unknown', 'processed']
  const shown = redriven.toSorted((a, b) => order.indexOf(a.outcome) - order.indexOf(b.outcome)).slice(0, most)
  const clear = button('Clear', {
    kind: 'small',
    'data-key': 'redrives-clear',
    on: {
      click: () => {
        redriven = redriven.filter(isPending)
        again()
      },
    },
  })
  return card(
    'Redrives',
    {
      hint: 'Processed, or failed again under a new number',
      extra: h(
        'div',
        { class: 'row-actions' },
        counts.map(([outcome, count]) => badge(`${format.count(count)} ${words[outcome]}`, tones[outcome])),
        clear,
      ),
    },
    h(
      'ul',
      { class: 'feed', 'aria-label': 'Redrives' },
      shown.map(one =>
        h(
          'li',
          {},
          h('b', {}, `#${one.id} ${one.name}`),
          h(
            'span',
            {},
            badge(words[one.outcome], tones[one.outcome]),
            one.failedId && [
              'as ',
              h(
                'a',
                {
                  href: `#/dead-letters?id=${one.failedId}`,
                  'data-key': `failed-${one.failedId}`,
                  on: { click: event => (event.preventDefault(), open(one.failedId)) },
                },
                `#${one.failedId}`,
              ),
            ],
          ),
          h('span', { class: 'quiet' }, `${format.exactTime(one.at)} ${format.zone}`),
        ),
      ),
    ),
    redriven.length > most && h('p', { class: 'hint' }, `${format.count(redriven.length - most)} more`),
  )
}
