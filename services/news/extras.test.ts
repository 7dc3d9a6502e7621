import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { assert, eventually, refusal } from '../../test/kit/kit.ts'
import { body, newsSuite } from '../../test/kit/news.ts'
import { newId } from '../kernel/base/ids.ts'

const { test, world } = await newsSuite('revisions, must-read pages and polls')

async function scene(fields: object = {}) {
  const workspaceId = await world.hotel()
  const editor = await world.editor(workspaceId)
  const ben = await world.person(workspaceId, [], 'Ben')
  const page = { title: 'First', content: body, workspaceId, status: 'published', ...fields }
  return { workspaceId, editor, ben, pageId: (await editor.pages.createPage(page)).page?.id ?? '' }
}

test('revisions record who changed what, and restoring one is a change that emits an event', async () => {
  const { editor, pageId } = await scene()
  const stranger = await scene()
  const paths = ['title', 'content']
  await editor.pages.updatePage({ id: pageId, title: 'Second', content: { x: 1 }, updateMask: { paths } })
  await editor.pages.updatePage({ id: pageId, enableLikes: false, updateMask: { paths: ['enable_likes'] } })
  const { data, meta } = await editor.revisions.listRevisions({ pageId })
  assert.equal([meta?.total, data.map(one => one.version)], [2, [2, 1]])
  assert.equal([data[0]?.title, data[0]?.changedFields, data[0]?.createdBy?.firstName], ['Second', paths, 'Edith'])
  const id = data[1]?.id ?? ''
  const { revision } = await editor.revisions.getRevision({ pageId, id })
  assert.equal([revision?.title, revision?.content], ['First', body])
  const { page } = await editor.revisions.restoreRevision({ pageId, id })
  assert.equal([page?.title, page?.content, page?.version, page?.enableLikes], ['First', body, 4, false])
  const events = (await world.events('page.updated')).filter(event => event.payload['id'] === pageId)
  assert.equal(events.at(-1)?.payload['changes'], { title: 'First', content: true })
  assert.is((await editor.revisions.listRevisions({ pageId })).meta?.total, 3)
  assert.is((await refusal(editor.revisions.getRevision({ pageId: stranger.pageId, id }))).info.status, 404)
})

test('a draft is not scheduled after the deadline that it has', async () => {
  const { editor, workspaceId } = await scene()
  const { page } = await editor.pages.createPage({ title: 'Drill', content: body, workspaceId })
  const inDays = (days: number) => timestampFromDate(new Date(Date.now() + days * 86_400_000))
  const id = page?.id ?? ''
  await editor.pages.schedulePage({ id, scheduledAt: inDays(1), mustRead: true, dueAt: inDays(3) })
  await editor.pages.schedulePage({ id, scheduledAt: inDays(2) })
  const { info } = await refusal(editor.pages.schedulePage({ id, scheduledAt: inDays(4) }))
  assert.equal([info.status, info.violations[0]?.path], [400, 'scheduledAt'])
})

test('a must-read page stays in the list of each member until they acknowledge it', async () => {
  const { workspaceId, editor, ben, pageId } = await scene()
  const dueAt = timestampFromDate(new Date(Date.now() + 86_400_000))
  const { mustRead } = await editor.mustReads.setMustRead({ pageId, dueAt })
  assert.equal([mustRead?.title, mustRead?.acknowledgedCount, mustRead?.membersCount], ['First', 0, 2])
  assert.is((await ben.pages.getPage({ id: pageId })).page?.isMustRead, true)
  assert.is((await ben.mustReads.listMustReads({ workspaceId })).data[0]?.pageId, pageId)
  const first = await ben.mustReads.acknowledgePage({ pageId })
  const secondAnswer = await ben.mustReads.acknowledgePage({ pageId })
  assert.equal(secondAnswer.acknowledgedAt, first.acknowledgedAt)
  assert.is((await ben.pages.getPage({ id: pageId })).page?.userInteractions?.hasAcknowledged, true)
  const remainingList = await ben.mustReads.listMustReads({ workspaceId })
  assert.equal([remainingList.data, remainingList.meta?.total], [[], 0])
  const duty = (await ben.mustReads.getMustRead({ pageId })).mustRead
  assert.equal([duty?.dueAt, duty?.acknowledgedCount], [dueAt, 1], 'the deadline after one has acknowledged')
  const open = await editor.mustReads.listMustReads({ workspaceId })
  assert.equal([open.data[0]?.acknowledgedCount, open.meta?.total], [1, 1])
  const readers = async (status?: string) => {
    const { data } = await editor.mustReads.listReaders({ pageId, ...(status ? { status } : {}) })
    return data.map(one => [one.member?.firstName, one.hasViewed, one.acknowledgedAt !== undefined])
  }
  // Its author isn't among the readers.
  assert.equal(await readers(), [['Ben', true, true]])
  assert.equal(await readers('pending'), [])
  await editor.mustReads.removeMustRead({ pageId })
  await editor.mustReads.removeMustRead({ pageId })
  assert.equal((await editor.mustReads.listMustReads({ workspaceId })).data, [])
  assert.is((await refusal(ben.mustReads.getMustRead({ pageId }))).info.status, 404)
  assert.is((await refusal(ben.mustReads.acknowledgePage({ pageId }))).info.status, 404)
  assert.is((await refusal(editor.mustReads.listReaders({ pageId }))).info.status, 404)
})

test('members who have not acknowledged are reminded, at most once an hour', async () => {
  const workspaceId = await world.hotel()
  const [ben, cleo] = [await world.person(workspaceId, [], 'Ben'), await world.person(workspaceId, [], 'Cleo')]
  const editor = await world.editor(workspaceId)
  const fields = { title: 'First', content: body, workspaceId, status: 'published' }
  const pageId = (await editor.pages.createPage(fields)).page?.id ?? ''
  assert.is((await refusal(editor.mustReads.remindReaders({ pageId }))).info.status, 404)
  const dueAt = timestampFromDate(new Date(Date.now() + 86_400_000))
  await editor.mustReads.setMustRead({ pageId, dueAt })
  await ben.mustReads.acknowledgePage({ pageId })
  const results = await Promise.allSettled([1, 2, 3].map(() => editor.mustReads.remindReaders({ pageId })))
  const answers = results.flatMap(one => (one.status === 'fulfilled' ? [one.value] : []))
  assert.equal([answers.length, answers[0]?.remindedCount], [1, 1], 'neither Ben, nor the author, who reminds')
  const error = await refusal(editor.mustReads.remindReaders({ pageId }))
  assert.is(error.info.status, 429)
  assert.ok(Number(error.info.retryAfterSeconds) > 3_500)
  const events = (await world.events('page.reminded')).filter(event => event.payload['id'] === pageId)
  // First for the socket and the inbox alone, then for push and mail, as one occurrence.
  assert.equal(
    events.map(event => event.channels),
    [
      ['socket', 'app'],
      ['push', 'email', 'socket'],
    ],
  )
  assert.is(events[0]?.metadata.occurrenceId, events[1]?.metadata.occurrenceId)
  assert.equal(events[0]?.metadata.receiverIds, [cleo.memberId])
  assert.is(events[0]?.metadata.actor.id, editor.memberId)
  assert.equal([events[0]?.payload['title'], events[0]?.payload['pageType']], ['First', 'article'])
  assert.ok(events[0]?.payload['dueAt'])
  const { data } = await editor.mustReads.listMustReads({ workspaceId })
  assert.equal(data[0]?.remindedAt, answers[0]?.remindedAt)
  await world.rows('update must_reads set reminded_at = reminded_at - interval 1 hour where page_id = ?', [pageId])
  for (const one of [editor, cleo]) await one.mustReads.acknowledgePage({ pageId })
  assert.is((await editor.mustReads.remindReaders({ pageId })).remindedCount, 0)
  const after = (await world.events('page.reminded')).filter(event => event.payload['id'] === pageId)
  assert.is(after.length, 2)
})

test('a reminder requires a published page', async () => {
  const { editor, pageId } = await scene()
  await editor.mustReads.setMustRead({ pageId })
  await world.rows("update pages set status = 'draft' where id = ?", [pageId])
  assert.is((await refusal(editor.mustReads.remindReaders({ pageId }))).info.status, 409)
})

test('a deadline that is set or changed is in the future; one that has passed can stay', async () => {
  const { editor, pageId } = await scene()
  const inSeconds = (seconds: number) => timestampFromDate(new Date(Date.now() + seconds * 1_000))
  const { info } = await refusal(editor.mustReads.setMustRead({ pageId, dueAt: inSeconds(-1) }))
  assert.equal([info.status, info.violations[0]?.path], [400, 'dueAt'])
  await editor.mustReads.setMustRead({ pageId, dueAt: inSeconds(60) })
  await world.rows('update must_reads set due_at = due_at - interval 1 hour where page_id = ?', [pageId])
  const dueAt = (await editor.mustReads.getMustRead({ pageId })).mustRead?.dueAt
  assert.equal((await editor.mustReads.setMustRead({ pageId, dueAt })).mustRead?.dueAt, dueAt)
  assert.is((await refusal(editor.mustReads.setMustRead({ pageId, dueAt: inSeconds(-1) }))).info.status, 400)
  await editor.mustReads.removeMustRead({ pageId })
  assert.is((await refusal(editor.mustReads.setMustRead({ pageId, dueAt }))).info.status, 400)
})

test('only published pages become must-read', async () => {
  const { editor, pageId } = await scene({ status: 'draft' })
  assert.is((await refusal(editor.mustReads.setMustRead({ pageId }))).info.status, 409)
})

test('a publication, at once or scheduled, is must-read with a deadline or silent by one call', async () => {
  const { workspaceId, editor, ben } = await scene()
  const draft = async () =>
    (await editor.pages.createPage({ title: 'Fire', content: body, workspaceId })).page?.id ?? ''
  const loadCreationEvents = async (id: string) =>
    (await world.events('page.created')).filter(event => event.payload['id'] === id)
  const inDays = (days: number) => timestampFromDate(new Date(Date.now() + days * 86_400_000))
  const [now, later, quiet] = [await draft(), await draft(), await draft()]
  const earlyDeadline = editor.pages.schedulePage({
    id: later,
    scheduledAt: inDays(2),
    mustRead: true,
    dueAt: inDays(1),
  })
  assert.is((await refusal(earlyDeadline)).info.violations[0]?.path, 'dueAt')
  assert.is((await refusal(editor.pages.publishPage({ id: now, dueAt: inDays(1) }))).info.status, 400)
  await editor.pages.publishPage({ id: now, mustRead: true, dueAt: inDays(1) })
  await editor.pages.schedulePage({ id: later, scheduledAt: inDays(1), mustRead: true, dueAt: inDays(2) })
  assert.is((await ben.mustReads.listMustReads({ workspaceId })).meta?.total, 1, 'a scheduled page isn’t due yet')
  assert.is((await editor.pages.getPage({ id: later })).page?.isMustRead, true)
  await editor.pages.publishPage({ id: later })
  for (const id of [now, later]) {
    const [first, ...rest] = await loadCreationEvents(id)
    assert.equal([first?.payload['mustRead'], typeof first?.payload['dueAt'], rest.length], [true, 'string', 1])
  }
  assert.is((await ben.mustReads.listMustReads({ workspaceId })).meta?.total, 2)
  await editor.pages.schedulePage({ id: quiet, scheduledAt: inDays(1), mustRead: true, isSilent: true })
  await editor.pages.publishPage({ id: quiet, mustRead: false })
  await editor.pages.updatePage({ id: quiet, title: 'Fire!', updateMask: { paths: ['title'] } })
  const updateEvents = (await world.events('page.updated')).filter(event => event.payload['id'] === quiet)
  const events = [...(await loadCreationEvents(quiet)), ...updateEvents]
  assert.equal(
    events.map(({ channels, metadata }) => [channels, metadata.receiverIds]),
    [
      [['socket'], []],
      [['socket'], []],
    ],
  )
  const { page } = await ben.pages.getPage({ id: quiet })
  assert.equal([page?.isSilent, page?.isMustRead], [true, false])
})

test('an author without edit_content sets the options of their own draft alone', async () => {
  const { workspaceId, pageId } = await scene({ pageType: 'poll' })
  const author = await world.person(workspaceId, ['create_content'])
  const draft = { title: 'Where?', content: body, workspaceId, pageType: 'poll' }
  const own = (await author.pages.createPage(draft)).page?.id ?? ''
  const options = ['Sea', 'Mountain']
  assert.is((await author.polls.setPoll({ pageId: own, options })).poll?.options.length, 2)
  assert.is((await refusal(author.polls.setPoll({ pageId, options }))).info.status, 403)
})

test('a poll counts each member once, also when they vote again or simultaneously', async () => {
  const { workspaceId, editor, ben, pageId } = await scene({ pageType: 'poll' })
  const options = ['Sea', 'Mountain', 'City']
  const { poll } = await editor.polls.setPoll({ pageId, options, question: 'Where?' })
  const [sea, mountain] = poll?.options.map(option => option.id) ?? []
  const people = await Promise.all(Array.from({ length: 10 }, () => world.person(workspaceId)))
  await Promise.all(people.map(person => person.polls.vote({ pageId, optionIds: [sea ?? ''] })))
  await Promise.all([sea, mountain].map(id => ben.polls.vote({ pageId, optionIds: [id ?? ''] })))
  const { poll: votedPoll } = await ben.polls.getPoll({ pageId })
  assert.is(votedPoll?.votersCount, 11)
  assert.is(
    votedPoll?.options.reduce((sum, option) => sum + option.voteCount, 0),
    11,
  )
  assert.is(votedPoll?.ownOptionIds.length, 1)
  await ben.polls.removeVote({ pageId })
  const { poll: after } = await ben.polls.removeVote({ pageId })
  assert.equal([after?.votersCount, after?.ownOptionIds], [10, []])
  assert.is((await refusal(editor.polls.setPoll({ pageId, options }))).info.status, 409)
})

test('a poll that another member created and that has votes keeps its options', async () => {
  const { workspaceId, editor, ben, pageId } = await scene({ pageType: 'poll' })
  const [first, second] = [newId(), newId()]
  const options = JSON.stringify([first, second].map(id => ({ id, label: id })))
  await world.rows('set session transaction isolation level repeatable read')
  await world.rows('start transaction')
  try {
    // The gap lock blocks inserts of the poll, while plain reads still find none.
    await world.rows('select 1 from polls where page_id = ? for update', [pageId])
    const lateRefusal = refusal(editor.polls.setPoll({ pageId, options: ['a', 'b'] }))
    await eventually(world.waitsForLock)
    await world.rows(
      'insert into polls (page_id, workspace_id, options, voters_count, updated_at) values (?, ?, ?, 1, now())',
      [pageId, workspaceId, options],
    )
    await world.rows(
      'insert into poll_votes (page_id, member_id, option_id, workspace_id, created_at) values (?, ?, ?, ?, now())',
      [pageId, ben.memberId, first, workspaceId],
    )
    await world.rows('commit')
    assert.is((await lateRefusal).info.status, 409)
  } finally {
    await world.rows('rollback')
  }
  const { poll } = await ben.polls.getPoll({ pageId })
  assert.equal(
    poll?.options.map(one => [one.id, one.voteCount]),
    [
      [first, 1],
      [second, 0],
    ],
  )
  assert.equal([poll?.votersCount, poll?.ownOptionIds], [1, [first]])
})

test('a vote requires known options, a single one unless several are allowed, and an open poll', async () => {
  const { editor, ben, pageId } = await scene({ pageType: 'poll' })
  const article = await scene()
  assert.is((await refusal(ben.polls.getPoll({ pageId }))).info.status, 404)
  assert.is((await refusal(ben.polls.vote({ pageId, optionIds: [newId()] }))).info.status, 404)
  assert.is((await refusal(editor.polls.setPoll({ pageId, options: ['a'] }))).info.status, 400)
  const wrongType = article.editor.polls.setPoll({ pageId: article.pageId, options: ['a', 'b'] })
  assert.is((await refusal(wrongType)).info.status, 400)
  const { poll } = await editor.polls.setPoll({ pageId, options: ['a', 'b'] })
  const optionIds = poll?.options.map(option => option.id) ?? []
  assert.is((await refusal(ben.polls.vote({ pageId, optionIds }))).info.status, 400)
  assert.is((await refusal(ben.polls.vote({ pageId, optionIds: [newId()] }))).info.status, 400)
  const closesAt = timestampFromDate(new Date(Date.now() - 1000))
  const answer = await editor.polls.setPoll({ pageId, options: ['a', 'b'], multipleChoice: true, closesAt })
  assert.is(answer.poll?.isClosed, true)
  const lateVote = ben.polls.vote({ pageId, optionIds: answer.poll?.options.map(option => option.id) ?? [] })
  assert.is((await refusal(lateVote)).info.status, 409)
})

test.run()
