import { DeadLetterService } from '../../../gen/platform/notification/v1/dead_letters_pb.ts'
import { assert, eventually, refusal } from '../../../test/kit/kit.ts'
import { notificationSuite } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, host, db } = await notificationSuite('dead letters')
const client = host.as(DeadLetterService, newId(), { kind: 'administrator' })

/** Publishes messages that become dead letters, and waits for them. @returns their ids, oldest first */
async function poison(...bodies: (string | { type: string })[]): Promise<string[]> {
  const before = (await client.listDeadLetters({ limit: 1 })).meta?.total ?? 0
  for (const [index, body] of bodies.entries()) {
    const text = typeof body === 'string' ? body : JSON.stringify({ ...event(), ...body })
    const type = typeof body === 'string' ? 'spa.noted' : body.type
    await host.bus.publish(`platform.notification.${type}`, text, { id: newId() })
    await eventually(async () => (await client.listDeadLetters({ limit: 1 })).meta?.total === before + index + 1)
  }
  return (await client.listDeadLetters({ limit: bodies.length })).data.map(({ id }) => id).toReversed()
}

const event = () => ({
  workspaceId: '',
  payload: { id: newId() },
  channels: ['socket'],
  metadata: {
    timestamp: new Date().toISOString(),
    actor: { id: 'system', name: 'system', type: 'system' },
    receiverIds: [],
    occurrenceId: newId(),
  },
})
const outcomeOf = async (sequence = '') => (await client.getRedriveOutcomes({ sequences: [sequence] })).data[0]
const waitForOutcome = (sequence?: string) =>
  eventually(async () => {
    const outcome = await outcomeOf(sequence)
    return outcome && outcome.outcome !== 'pending' ? outcome : undefined
  })
const count = async (filter: Parameters<typeof client.listDeadLetters>[0]) =>
  (await client.listDeadLetters(filter)).meta?.total
const discardAll = async () => {
  for (const { id } of (await client.listDeadLetters({ limit: 100 })).data) await client.discardDeadLetter({ id })
}
test.after.each(discardAll)

test('filters match texts that contain them in any case, unreadable messages by their key, and whole texts when exact', async () => {
  await poison({ type: 'spa.noted' }, { type: 'spa.noted_twice' }, 'no json')
  const key = 'platform.notification.spa.noted'
  const counts = await Promise.all(
    [
      { type: 'SPA.Noted' },
      { type: 'spa.noted', exact: true },
      { type: 'notification.spa' },
      { type: key, exact: true },
      { consumer: 'cation_QUEUE' },
      { consumer: 'notification', exact: true },
      { reason: 'not found' },
      { reason: 'the body is not JSON', exact: true },
      { reason: 'body is not', exact: true },
      { type: 'spa', reason: 'not JSON' },
      { type: 'elsewhere' },
    ].map(count),
  )
  assert.equal(counts, [3, 1, 1, 1, 3, 0, 2, 1, 0, 1, 0])
  assert.is((await refusal(client.listDeadLetters({ reason: 'x'.repeat(501) }))).info.status, 400)
})

test('reasons are counted over all pages, the most frequent first', async () => {
  await poison({ type: 'spa.noted' }, { type: 'spa.noted' }, 'no json')
  const { data, reasons } = await client.listDeadLetters({ limit: 1 })
  assert.is(data.length, 1)
  assert.equal(
    reasons.map(one => [one.reason, one.count]),
    [
      ['Template not found: spa_noted', 2],
      ['the body is not JSON', 1],
    ],
  )
  assert.equal((await client.listDeadLetters({ reason: 'JSON' })).reasons.length, 1)
})

test('a redriven message that fails again is reported with its new number, which names the old one', async () => {
  const [id = ''] = await poison('no json')
  const { sequence } = await client.redriveDeadLetter({ id })
  const outcome = await waitForOutcome(sequence)
  assert.equal([outcome.id, outcome.outcome], [id, 'failed'])
  const { deadLetter } = await client.getDeadLetter({ id: outcome.failedId ?? '' })
  assert.equal([deadLetter?.redrivenFrom, deadLetter?.originSequence], [id, sequence])
  const secondRedrive = await client.redriveDeadLetter({ id: outcome.failedId ?? '' })
  const second = await waitForOutcome(secondRedrive.sequence)
  assert.equal([second.id, second.outcome], [outcome.failedId, 'failed'])
  // An older redrive still names its own dead letter, which was redriven since.
  assert.equal([(await outcomeOf(sequence))?.id, (await outcomeOf(sequence))?.failedId], [id, undefined])
})

test('a redriven message that succeeds is reported as processed, and other messages have no outcome', async () => {
  const [id = ''] = await poison({ type: 'spa.mended' })
  const text = { title: 'S', body: 'B', email_subject: null, email_body: null, variables: '[]', default_data: null }
  const slug = { slug: 'spa_mended', language: 'fr' as const, type: 'spa', category: 'mended' }
  await db
    .insertInto('templates')
    .values({ id: newId(), ...slug, ...text })
    .execute()
  const { sequence } = await client.redriveDeadLetter({ id })
  const outcome = await waitForOutcome(sequence)
  assert.equal([outcome.id, outcome.outcome, outcome.failedId], [id, 'processed', undefined])
  const otherSequences = [String(Number(sequence) - 1), '999999999', '9999999999999999999']
  assert.equal((await client.getRedriveOutcomes({ sequences: otherSequences })).data, [])
  for (const sequences of [[], ['0'], ['x'], Array.from({ length: 101 }, () => '1')])
    assert.is((await refusal(client.getRedriveOutcomes({ sequences }))).info.status, 400)
})

test('selected dead letters are redriven together, unknown ones are skipped, and ids stand alone', async () => {
  const [first = '', second = '', third = ''] = await poison('one', 'two', 'three')
  const answer = await client.redriveDeadLetters({ ids: [third, first, '999999'] })
  assert.equal([answer.redriven, answer.remaining, answer.data.map(({ id }) => id)], [2, 0, [first, third]])
  for (const { sequence } of answer.data) assert.is((await waitForOutcome(sequence)).outcome, 'failed')
  const { data } = await client.listDeadLetters({})
  assert.ok(data.some(({ id }) => id === second))
  assert.equal(
    data.flatMap(({ redrivenFrom }) => redrivenFrom ?? []),
    [third, first],
  )
  for (const filter of [{ type: 'a' }, { consumer: 'a' }, { reason: 'a' }])
    assert.is((await refusal(client.redriveDeadLetters({ ids: [second], ...filter }))).info.status, 400)
  const ids = Array.from({ length: 1_001 }, (_, index) => String(index + 1))
  assert.is((await refusal(client.redriveDeadLetters({ ids }))).info.status, 400)
})

test('all dead letters of a reason are redriven, those of another stay', async () => {
  await poison({ type: 'spa.noted' }, { type: 'spa.noted' }, 'no json')
  const reason = 'Template not found: spa_noted'
  assert.is((await client.redriveDeadLetters({ reason: 'spa_note', exact: true })).redriven, 0)
  const { redriven, data } = await client.redriveDeadLetters({ reason, exact: true })
  assert.is(redriven, 2)
  for (const { sequence } of data) await waitForOutcome(sequence)
  assert.is((await client.listDeadLetters({ reason: 'JSON' })).data[0]?.redrivenFrom, undefined)
})

test.run()
