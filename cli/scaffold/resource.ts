import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { applyBlock, blocksOf, type EditableFiles, editableFiles, replaceOnce } from './guide-blocks.ts'

/** The guides whose example is a whole resource: notes on a page. */
const guides = ['docs/guides/add-an-rpc.md', 'docs/guides/add-a-table.md']

/** In halves, so that this file doesn't fail the check that finds open decisions. */
const decide = `${'TO' + 'DO'}(decide):`

/** Decisions that the example can't make: the line of a new file that they are written before, and the question. */
const marks: [file: string, line: string, question: string][] = [
  [
    'proto/platform/news/v1/notes.proto',
    '// Notes that members leave on a page.',
    'callers, scope and permission of each RPC; whether rows are changed and deleted, and by whom.',
  ],
  ['proto/platform/news/v1/notes.proto', '// The new note.', 'the fields of a request, each with its bound.'],
  [
    'services/news/migrations/0099-notes.ts',
    '/** Notes on pages. */',
    'columns, an index per list, and a unique key where a row exists once per member.',
  ],
  [
    'services/news/tables.ts',
    '  notes: { tenant, owner },',
    'null instead of the owner, if others write the rows; private, if only the member reads them.',
  ],
  [
    'services/news/notes/notes.sql.ts',
    '/** Notes on a page, latest first. */',
    'whether all members read the rows of all; if not, add the member to each predicate.',
  ],
  [
    'services/news/notes/notes.ts',
    '  await inTransaction(news.db, async trx => {',
    'an event of it or none: docs/guides/add-an-event.md, and docs/removals.md for what removes it.',
  ],
  [
    'services/news/notes/notes.test.ts',
    "test('a page of another workspace is not found, and a note says something', async () => {",
    'a test of each refusal, also of a colleague.',
  ],
  ['cli/commands/growth/tables.ts', "  byId('news', 'notes'),", 'how long rows are kept.'],
]

/** Rows in tables of other files. `%` is the question of a decision. */
const rows: [file: string, from: string, to: string][] = [
  [
    'services/member/export/columns.test.ts',
    "      likes: ['reactions', 'id'],\n",
    `      likes: ['reactions', 'id'],\n      // ${decide} the export, as services/news/export/data.sql.ts has comments, and what an erasure deletes: docs/guides/add-a-consumer.md\n`,
  ],
  ['docs/guides/scale.md', '| news | `pages`,', '| news | `pages`, `notes`,'],
]

/** Names of a resource: bookmarks, bookmark. */
type ResourceNames = { plural: string; singular: string }

/** The usual singular; some words, such as statuses, have another. */
export const singularOf = (plural: string): string =>
  plural
    .replace(/ies$/, 'y')
    .replace(/(x|ch|sh|ss)es$/, '$1')
    .replace(/(?<!s)s$/, '')

/** The example's text for another resource: `notes` and `note` in every spelling. */
function renamed(text: string, { plural, singular }: ResourceNames): string {
  const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
  return text.replace(/(?:(?<![a-z])note|Note)(s?)(?![a-z])/g, (match, ending: string) => {
    const word = ending ? plural : singular
    return match.startsWith('N') ? capital(word) : word
  })
}

/**
 * Writes a resource of the news service after the guides' example, with a mark at each decision; all of it or nothing.
 * @returns the paths of all files written or changed
 */
export function writeResource(root: string, names: ResourceNames): string[] {
  const files = editableFiles(root)
  addResource(files, names)
  return files.save()
}

export function addResource(files: EditableFiles, names: ResourceNames): void {
  const { plural, singular } = names
  if (!/^[a-z]{3,}s$/.test(plural))
    throw new Error(`${plural}: one word in lower case that ends in s, at least four letters, such as bookmarks`)
  if (!/^[a-z]{3,}$/.test(singular) || singular === plural)
    throw new Error(`${singular}: one word in lower case, at least three letters, other than ${plural}`)
  if (plural === 'notes') throw new Error('notes are the example of the guides; choose another name')
  const migrations = readdirSync(join(files.folder, 'services/news/migrations')).filter(name => /^\d{4}-/.test(name))
  const number = String(Math.max(...migrations.map(name => Number(name.slice(0, 4)))) + 1).padStart(4, '0')
  const adapted = (text: string) => renamed(text.replaceAll('0099-', `${number}-`), names)
  for (const block of guides.flatMap(guide => blocksOf(guide, files.read(guide))))
    applyBlock(files, { ...block, path: adapted(block.path), text: adapted(block.text) })
  const edit = (path: string, from: string, to: string): void =>
    files.write(path, replaceOnce(files.read(path), from, to, `cli/scaffold/resource.ts: ${path}`))
  for (const [path, line, question] of marks) {
    const indent = /^ */.exec(line)?.[0] ?? ''
    edit(adapted(path), adapted(line), adapted(`${indent}// ${decide} ${question}\n${line}`))
  }
  for (const [path, from, to] of rows) edit(path, from, adapted(to))
}
