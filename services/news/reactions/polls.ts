import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { HandlerContext } from '@connectrpc/connect'
import { PollService, type SetPollRequest } from '../../../gen/platform/news/v1/polls_pb.ts'
import { maybePerson, personOf } from '../../kernel/access/access.ts'
import type { Tenant } from '../../kernel/access/tenant.ts'
import { ConflictError, invalid, NotFoundError } from '../../kernel/base/errors.ts'
import { timestamp } from '../../kernel/base/fields.ts'
import { newId } from '../../kernel/base/ids.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import type { Context } from '../context.ts'
import { callerId, checkChange, openPage, pageNotFound } from '../pages/access.ts'
import { lockPage } from '../pages/sql.ts'
import type { PollRow } from '../tables.ts'
import * as statements from './polls.sql.ts'

type Option = { id: string; label: string }

const pollNotFound = () => new NotFoundError('Poll not found')
const optionsOf = (poll: PollRow): Option[] => JSON.parse(poll.options) as Option[]
const isClosed = (poll: PollRow): boolean => poll.closes_at !== null && poll.closes_at <= new Date()

/** The poll of a page with its counts and the caller's choice. Throws NotFoundError. */
async function showPoll({ db }: Context, tenant: Tenant, pageId: string, memberId: string) {
  const poll = await statements.findPoll(db, tenant, pageId)
  if (!poll) throw pollNotFound()
  const [counts, ownOptionIds] = await Promise.all([
    statements.voteCounts(db, tenant, pageId),
    statements.choicesOf(db, tenant, pageId, memberId),
  ])
  return {
    poll: {
      pageId,
      question: poll.question ?? undefined,
      options: optionsOf(poll).map(({ id, label }) => ({ id, label, voteCount: counts.get(id) ?? 0 })),
      multipleChoice: poll.multiple_choice === 1,
      closesAt: timestamp(poll.closes_at),
      isClosed: isClosed(poll),
      votersCount: poll.voters_count,
      ownOptionIds,
    },
  }
}

/** Sets the options of a poll page; refused once there are votes. */
async function setPoll(news: Context, request: SetPollRequest, context: HandlerContext) {
  const { pageId } = request
  const { tenant } = await openPage(news, context, pageId)
  const settings = {
    question: request.question ?? null,
    options: JSON.stringify(request.options.map(label => ({ id: newId(), label }))),
    multiple_choice: request.multipleChoice ? 1 : 0,
    closes_at: request.closesAt ? timestampDate(request.closesAt) : null,
    updated_at: new Date(),
  }
  await inTransaction(news.db, async trx => {
    const page = await lockPage(trx, tenant, pageId)
    if (!page) throw pageNotFound()
    checkChange(tenant, 'edit_content', callerId(tenant, context), page)
    if (page.page_type !== 'poll') throw invalid('pageId', 'must be a page of type poll', 'poll.page_type')
    await statements.ensurePoll(trx, { page_id: pageId, workspace_id: tenant.workspaceId, ...settings })
    // Read under the lock: another caller may have inserted the poll first, and it may have votes.
    const poll = await statements.lockPoll(trx, tenant, pageId)
    if (poll && poll.voters_count > 0) throw new ConflictError('The poll already has votes')
    await statements.writePoll(trx, tenant, pageId, settings)
  })
  return showPoll(news, tenant, pageId, maybePerson(context)?.memberId ?? '')
}

/** Replaces the caller's choice; an empty list withdraws the vote. */
async function choose(news: Context, pageId: string, optionIds: string[], context: HandlerContext) {
  const { tenant } = await openPage(news, context, pageId)
  const { memberId } = personOf(context)
  await inTransaction(news.db, async trx => {
    const poll = await statements.lockPoll(trx, tenant, pageId)
    if (!poll) throw pollNotFound()
    if (isClosed(poll)) throw new ConflictError('The poll is closed')
    const pollOptionIds = new Set(optionsOf(poll).map(option => option.id))
    if (optionIds.some(id => !pollOptionIds.has(id)))
      throw invalid('optionIds', 'must be options of the poll', 'poll.option')
    if (optionIds.length > 1 && poll.multiple_choice !== 1)
      throw invalid('optionIds', 'must be a single option', 'poll.single_choice')
    const hadVoted = await statements.replaceChoices(trx, tenant, pageId, memberId, optionIds)
    const change = (optionIds.length > 0 ? 1 : 0) - (hadVoted ? 1 : 0)
    if (change !== 0) await statements.writePoll(trx, tenant, pageId, { voters_count: poll.voters_count + change })
  })
  return showPoll(news, tenant, pageId, maybePerson(context)?.memberId ?? '')
}

/** Polls exist for pages of type `poll`. */
export const pollService = (news: Context): Rpc =>
  implement(PollService, {
    setPoll: (request, context) => setPoll(news, request, context),
    async getPoll({ pageId }, context) {
      const { tenant } = await openPage(news, context, pageId)
      return showPoll(news, tenant, pageId, maybePerson(context)?.memberId ?? '')
    },
    vote: ({ pageId, optionIds }, context) => choose(news, pageId, optionIds, context),
    removeVote: ({ pageId }, context) => choose(news, pageId, [], context),
  })
