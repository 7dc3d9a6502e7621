/**
 * A mistake of a newcomer, and the one command that has to name it: a check of `npm run check`, or the tests of a file.
 * Those that `guides.trial.ts` makes aren't repeated here.
 */
export type Mistake = {
  name: string
  file: string
  /** A text of the file that occurs once. */
  find: string
  replace: string
  /** `npm run gen` runs before the command, as the guides ask. */
  generate?: true
  command: string
  /** What the command prints for this mistake alone. */
  says: string
}

const likesProto = 'proto/platform/news/v1/likes.proto'
const exported = 'test services/member/export/columns.test.ts'
const consumers = 'test test/operations/consumers.test.ts'

export const mistakes: Mistake[] = [
  {
    name: 'a write to the rows of every member',
    file: 'services/news/reactions/polls.sql.ts',
    find: `    .where('page_id', '=', pageId)
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  const key`,
    replace: `    .where('page_id', '=', pageId)
    .executeTakeFirst()
  const key`,
    command: 'test services/news/extras.test.ts',
    says: 'poll_votes belongs to members',
  },
  {
    name: 'a table without its owner',
    file: 'services/news/tables.ts',
    find: '  poll_votes: { tenant, owner },',
    replace: '  poll_votes: { tenant },',
    command: 'check types',
    says: "Property 'owner' is missing",
  },
  {
    name: 'tests of a resource left out',
    file: 'services/news/extras.test.ts',
    find: `  await ben.polls.removeVote({ pageId })
  const { poll: after } = await ben.polls.removeVote({ pageId })
`,
    replace: '  const { poll: after } = await ben.polls.getPoll({ pageId })\n',
    command: 'check RPCs',
    says: 'PollService.RemoveVote: no test calls it',
  },
  {
    name: 'a field of an event without a bound',
    file: 'proto/platform/events/v1/like.proto',
    find: `  // Title of the page; {{pageTitle}} in templates.
  string title = 3 [(buf.validate.field).string.max_len = 255];`,
    replace: `  // Title of the page; {{pageTitle}} in templates.
  string title = 3;`,
    generate: true,
    command: 'test test/contract/messages.test.ts',
    says: 'LikeCreated.title: no length',
  },
  {
    name: 'a total without the filter of its list',
    file: 'services/news/reading/preferences.sql.ts',
    find: 'countRows(preferredPages(db, tenant, memberId, seesAll, filter))',
    replace: 'countRows(preferredPages(db, tenant, memberId, seesAll, {}))',
    command: 'test services/news/reading/reading.test.ts',
    says: 'favourites are listed latest first',
  },
  {
    name: 'a route open to credentials whose handler refuses them',
    file: likesProto,
    find: `{delete: "/api/v1/likes/{page_id}"};
    option (platform.options.v1.access) = {
      callers: [CALLER_PERSON]`,
    replace: `{delete: "/api/v1/likes/{page_id}"};
    option (platform.options.v1.access) = {
      callers: [CALLER_PERSON_OR_CREDENTIAL]`,
    generate: true,
    command: 'check callers',
    says: 'LikeService.DeleteLike names CALLER_PERSON_OR_CREDENTIAL',
  },
  {
    name: 'a consumer that runs on',
    file: 'services/hotel/service.ts',
    find: '        await consumer.stop()\n',
    replace: '',
    command: consumers,
    says: 'These run on',
  },
  {
    name: 'a consumer that the broker refuses',
    file: 'cli/stack/broker-permissions.ts',
    find: "  hotel: [{ durable: 'hotel-subscription', subject: 'platform.payment.subscription_changed' }],",
    replace: '  hotel: [],',
    command: consumers,
    says: 'is a line of `durablesOf`',
  },
  {
    name: 'a new column that the export of a member lacks',
    file: 'services/news/migrations/0001-baseline.ts',
    find: '      is_edited tinyint not null default 0,',
    replace: '      mood varchar(20) null,\n      is_edited tinyint not null default 0,',
    command: exported,
    says: 'is_edited like_count mood',
  },
  {
    name: 'a new table about members without export and erasure',
    file: 'services/news/migrations/0001-baseline.ts',
    find: 'create table if not exists likes (',
    replace:
      'create table if not exists remarks like comments`.execute(db)\n  await sql`create table if not exists likes (',
    command: exported,
    says: 'missing: add the table and its rows to the export',
  },
  {
    name: 'personal data that an erasure leaves',
    file: 'services/member/members/erasure.ts',
    find: "  await trx.deleteFrom('member_settings').where('member_id', '=', id).execute()\n",
    replace: '',
    command: 'test services/member/members/erasure.test.ts',
    says: 'no table contains data that identifies an erased person',
  },
  {
    name: 'a service that imports another',
    file: 'services/news/context.ts',
    find: "import type { MemberDirectory } from './members.ts'",
    replace: "import type { MemberAudience } from '../notification/audience.ts'",
    command: 'check boundaries',
    says: 'services/news imports only gen, the kernel and itself',
  },
  {
    name: 'a decision that does not exist',
    file: 'services/kernel/access/access.ts',
    find: 'no body is read for them [R62].',
    // In halves, so that this file doesn't fail the check.
    replace: 'no body is read for them [' + 'R999].',
    command: 'check references',
    says: 'is not in docs/decisions.md',
  },
  {
    name: 'a decision of the scaffold left open',
    file: likesProto,
    find: '  // Lists the reactions to a page.',
    // In halves, so that this file doesn't fail the check.
    replace: `  // ${'TO' + 'DO'}(decide): who lists them.\n  // Lists the reactions to a page.`,
    command: 'check loose',
    says: 'a mark of unfinished work',
  },
]
