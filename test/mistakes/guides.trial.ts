import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceOnce } from '../../cli/scaffold/guide-blocks.ts'
import { assert, suite } from '../kit/kit.ts'
import type { Ran } from '../kit/project-copy.ts'
import { contract, guideCopy, notesTest, registers } from './guide-copy.ts'

/* Follows the guides in a copy of the project, then leaves out one step after the other. */
const test = suite('a step of the guides, left out')
const { folder, run, node, check, tests, types } = guideCopy(test)

test('the bundles are built', async () => {
  const { ok, output } = await node('cli/build/main.ts')
  assert.ok(ok, output)
})

/** A step that is left out: a text of a file, what stands there without it, and the sentence that names it. */
type Gap = { file: string; from: string; to?: string; names: string }

/** Leaves steps out, runs something, which must fail and name each of them, and puts them back. */
function testGaps(title: string, gaps: Gap[], act: () => Promise<Ran | Ran[]>): void {
  test(`left out: ${title}`, async () => {
    const files = new Map(gaps.map(({ file }) => [file, readFileSync(join(folder, file), 'utf8')]))
    const originals = new Map(files)
    for (const { file, from, to = '' } of gaps) files.set(file, replaceOnce(files.get(file) ?? '', from, to, file))
    for (const [file, text] of files) writeFileSync(join(folder, file), text)
    const results = [await act()].flat()
    for (const [file, text] of originals) writeFileSync(join(folder, file), text)
    // uvu shows spaces as dots.
    const output = results.map(result => result.output.replaceAll('·', ' ')).join('\n')
    assert.ok(
      results.every(result => !result.ok),
      output,
    )
    for (const { names } of gaps) assert.ok(output.includes(names), `nothing names "${names}":\n${output}`)
  })
}

const notes = 'services/news/notes/notes.ts'
const notesProto = 'proto/platform/news/v1/notes.proto'
const noteProto = 'proto/platform/events/v1/note.proto'

testGaps(
  'the call that emits, the texts, the feed',
  [
    {
      file: notes,
      from: 'await emit(trx, NoteCreatedSchema, payload,',
      to: 'void (',
      names: 'note.created: no service emits it',
    },
    {
      file: 'services/notification/texts/default-templates.json',
      from: '"note.created"',
      to: '"note.shown"',
      names: 'note.created: has no template in services/notification/texts/default-templates.json',
    },
    {
      file: 'edge/live/feed.ts',
      from: '  row(NoteCreatedSchema, note => [frame(live.NoteCreatedFrameSchema, note)]),\n',
      names: 'note.created: has no row in edge/live/feed.ts',
    },
  ],
  () => check('events'),
)

testGaps(
  'the entries in tests, in the inbox and in the service',
  [
    {
      file: 'edge/live/feed.test.ts',
      from: "    NoteCreatedSchema,\n    { id, pageId, title: 'Menu', memberId, text: 'Good' },",
      to: "    LikeCreatedSchema,\n    { id, pageId, title: 'Menu', memberId },",
      names: 'every row of the feed is in `rows`',
    },
    { file: 'edge/inbox/assets/topics.json', from: ', "note.created"', names: 'assets/topics.json' },
    {
      file: 'services/news/hidden.test.ts',
      from: '  ListNotes: ({ id }) => reader.notes.listNotes({ pageId: id }),\n',
      names: 'Add a new RPC to `refused` if it takes the id of a page',
    },
    {
      file: 'services/news/pages/events.test.ts',
      from: "  await ben.notes.createNote({ pageId, text: 'Hello' })\n",
      names: 'happenings() causes each event that the service emits',
    },
    {
      file: 'services/news/plans.test.ts',
      from: "  'notes on a page': [() => notesOf(db, tenant, pageId, slice), 'notes_page', 'ListNotes'],\n",
      names: 'Add a new list to `lists`, with its index',
    },
    {
      file: 'services/news/repeated.test.ts',
      from: '  CreateNote: [',
      to: '  CreateNothing: [',
      names: 'Add a new RPC with status 201 to `routes`',
    },
    {
      file: 'services/news/service.ts',
      from: '  noteService,\n',
      names: 'not registered: platform.news.v1.NoteService',
    },
  ],
  () => tests(...registers),
)

testGaps(
  'a method, and the entry for the tenant guard',
  [
    {
      file: notes,
      from: '    listNotes: (request, context) => listNotes(news, request, context),\n',
      names: "Property 'listNotes' is missing",
    },
    { file: 'services/news/tables.ts', from: '  notes: { tenant, owner },\n', names: "Property 'notes' is missing" },
  ],
  types,
)

testGaps(
  'the tenant in a statement',
  [
    {
      file: 'services/news/notes/notes.sql.ts',
      from: ".where('workspace_id', '=', tenant.workspaceId)",
      names: 'notes needs = or in on workspace_id',
    },
  ],
  () => tests(notesTest),
)

testGaps(
  'the migration',
  [
    {
      file: 'services/news/migrations/0099-notes.ts',
      from: 'table if not exists notes',
      to: 'table if not exists other',
      names: "notes' doesn't exist",
    },
  ],
  () => tests(notesTest),
)

testGaps(
  'generating again',
  [
    {
      file: notesProto,
      from: '// Notes that members leave on a page.',
      to: '// Notes on a page.',
      names: 'gen/openapi/news.json',
    },
  ],
  () => check('generated files'),
)

testGaps(
  'options, bounds and comments of the protos',
  [
    {
      file: notesProto,
      from: `      callers: [CALLER_PERSON]
      scope: SCOPE_RECORD
    };
    option (platform.options.v1.rest) = {addition: "reads the notes on a page"};
`,
      to: `    };
    option (platform.options.v1.rest) = {addition: "reads the notes on a page"};
`,
      names: 'NoteService.ListNotes: no callers',
    },
    { file: notesProto, from: '    addition: "members leave notes on a page"\n', names: 'POST /api/v1/notes' },
    { file: notesProto, from: '    max_len: 1000\n', names: 'CreateNoteRequest.text' },
    {
      file: notesProto,
      from: '  platform.common.v1.PageMeta meta = 2;',
      to: '  platform.common.v1.PageMeta paging = 2;',
      names: 'NoteService.ListNotes: no page, limit or meta',
    },
    { file: notesProto, from: '  // Author.\n', names: 'Field "member_id" should have a non-empty comment' },
    {
      file: noteProto,
      from: '      "page:{pageId}",\n',
      names: 'note.created: its pageId names a page that can be deleted: needs: "page:{pageId}"',
    },
    {
      file: 'docs/contract.md',
      from: ', `note.created`',
      names: 'note.created: add it to the row of page:{memberId} in docs/contract.md',
    },
    {
      file: 'proto/platform/live/v1/server.proto',
      from: 'event: "note.created"\n    direction: DIRECTION_SERVER\n    services: ["news"]\n    room: "page:{pageId}"',
      to: 'event: "note.created"\n    direction: DIRECTION_SERVER\n    services: ["news"]\n    room: "page:{memberId}"',
      names: 'note.created: the room page:{memberId} of its frame note.created: memberId is not the id of a page',
    },
  ],
  async () => {
    const generated = await run('buf', 'generate')
    assert.ok(generated.ok, generated.output)
    return Promise.all([check('events', 'buf lint'), tests(...contract)])
  },
)

testGaps(
  'the entity of the event',
  [
    {
      file: noteProto,
      from: '    about: "note:{id}"\n',
      names: 'note.created: either about or deletes',
    },
  ],
  () => node('cli/gen.ts'),
)

test.run()
