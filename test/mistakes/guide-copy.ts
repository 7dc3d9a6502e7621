import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyBlock, editableFiles, exampleBlocks } from '../../cli/scaffold/guide-blocks.ts'
import { assert, type suite } from '../kit/kit.ts'
import { projectCopy, textOf } from '../kit/project-copy.ts'

const blocks = exampleBlocks(textOf)
const paths = [...new Set(blocks.map(({ path }) => path))]

export const notesTest = 'services/news/notes/notes.test.ts'
/** They fail until a new RPC or event is entered where they ask for it. */
export const registers = [
  'edge/live/feed.test.ts',
  'edge/inbox/inbox-file.test.ts',
  'services/news/hidden.test.ts',
  'services/news/pages/events.test.ts',
  'services/news/plans.test.ts',
  'services/news/repeated.test.ts',
  'test/contract/registered.test.ts',
]
/** They read the descriptors alone. */
export const contract = ['descriptors', 'routes', 'messages'].map(name => `test/contract/${name}.test.ts`)

/** Types of the files that the guides touch, and of what those import. */
const project = {
  extends: './tsconfig.json',
  compilerOptions: { incremental: true, tsBuildInfoFile: '.guides' },
  include: paths.filter(path => path.endsWith('.ts') && !path.startsWith('edge/front/')),
}

/** Fills a copy of the project and follows every step of the guides there. */
export async function followGuides({ folder, run, fill }: ReturnType<typeof projectCopy>): Promise<void> {
  await fill()
  writeFileSync(join(folder, 'tsconfig.guides.json'), JSON.stringify(project))
  const files = editableFiles(folder)
  for (const block of blocks) applyBlock(files, block)
  files.save()
  const { ok, output } = await run(process.execPath, 'cli/gen.ts')
  assert.ok(ok, output)
  for (const path of ['gen/platform/news/v1/notes_pb.ts', 'docs/routes.md', 'docs/events.md'])
    assert.match(output, `written ${path}`)
}

/** A copy of the project in which the first test follows every step of the guides. */
export function guideCopy(test: ReturnType<typeof suite>) {
  const copy = projectCopy()
  const { folder, run, remove } = copy
  const node = (...args: string[]) => run(process.execPath, ...args)
  test.after(remove)
  test('every step applies, and the project generates its files', () => followGuides(copy))
  return {
    folder,
    run,
    node,
    paths,
    check: (...names: string[]) => node('cli/check.ts', ...names),
    /** Runs test files in one process, because each process compiles what it loads. */
    tests: (...files: string[]) => node('cli/test-run/uvu-files.ts', ...files.map(file => join(folder, file))),
    types: () => run('tsc', '--noEmit', '-p', 'tsconfig.guides.json'),
  }
}
