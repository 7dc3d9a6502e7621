import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crossings, tooLong, unclean } from './checks/boundaries.ts'
import { breaking } from './checks/buf.ts'
import { limitGaps } from './checks/limits.ts'
import { bareNames } from './checks/names.ts'
import { decisionsFile, unresolved } from './checks/references.ts'
import { circles, crowded, houses } from './checks/rooms.ts'
import { sharedClasses } from './checks/styles.ts'
import { raggedRows } from './checks/tables.ts'
import { unplain } from './checks/words.ts'
import { loadFiles } from './generate/descriptors.ts'
import { drift } from './generate/drift.ts'
import { eventEntries, eventGaps, serviceSources } from './generate/events/catalogue.ts'
import { type Result, root, run } from './run.ts'
import { sources, texts, tracked } from './sources.ts'
import { messageOf } from './stack/errors.ts'
import { seconds } from './stack/services.ts'

type Check = { name: string; run: () => Result | Promise<Result>; remedy?: string }

const listed = (problems: string[]): Result => ({ ok: problems.length === 0, output: problems.join('\n') })

function boundaries(): Result {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  return listed(crossings(sources(), new Set(Object.keys(dependencies))))
}

async function events(): Promise<Result> {
  return listed(eventGaps(eventEntries(await loadFiles(join(root, 'gen')), serviceSources())))
}

async function limits(): Promise<Result> {
  return listed(limitGaps(await loadFiles(join(root, 'gen'))))
}

function references(): Result {
  return listed(unresolved(texts(), readFileSync(join(root, decisionsFile), 'utf8')))
}

/** Names that don't say what they hold. The number may only fall, so that old ones go without new ones coming. */
const maxBareNames = 1597

function names(): Result {
  const problems = bareNames(sources())
  const total = `${problems.length} bare names, at most ${maxBareNames} (maxBareNames in cli/check.ts)`
  return { ok: problems.length <= maxBareNames, output: [...problems, total].join('\n') }
}

const remedy = 'npm run fix'

/** Quick ones first, because lint and types take minutes on a busy machine. */
const checks: Check[] = [
  { name: 'boundaries', run: boundaries },
  { name: 'rooms', run: () => listed([...crowded(tracked()), ...circles(houses(sources()))]) },
  { name: 'file lengths', run: () => listed(tooLong(sources())) },
  { name: 'loose ends', run: () => listed(unclean(sources())) },
  { name: 'references', run: references },
  { name: 'styles', run: () => listed(sharedClasses(texts('edge/front/*.css'))) },
  { name: 'words', run: () => listed(unplain(texts())) },
  { name: 'names', run: names },
  { name: 'tables', run: () => listed(raggedRows(texts('*.md'))) },
  { name: 'events', run: events },
  { name: 'limits', run: limits },
  { name: 'buf lint', run: () => run('buf', 'lint', 'proto') },
  { name: 'buf format', run: () => run('buf', 'format', 'proto', '--diff', '--exit-code'), remedy },
  { name: 'buf breaking', run: breaking },
  { name: 'format', run: () => run('biome', 'check', '--max-diagnostics=20', '.'), remedy },
  { name: 'types of the web client', run: () => run('tsc', '--noEmit', '-p', 'edge/front/app') },
  { name: 'generated files', run: drift },
  { name: 'types', run: () => run('tsc', '--noEmit') },
  { name: 'lint', run: () => run('oxlint', '--type-aware', '--deny-warnings') },
]

/** Runs a check and prints its result. A check that can't run has failed. */
async function passes({ name, run: check, remedy: command }: Check): Promise<boolean> {
  const began = Date.now()
  const { ok, output } = await Promise.resolve()
    .then(check)
    .catch((error: unknown) => ({ ok: false, output: messageOf(error) }))
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(20)} ${seconds(Date.now() - began)}`)
  if (!ok) console.log(`${output}${command ? `\n\nRun ${command} to fix this.` : ''}`.replace(/^/gm, '    '))
  return ok
}

const patterns = process.argv.slice(2)
const wanted = checks.filter(({ name }) => patterns.length === 0 || patterns.some(pattern => name.includes(pattern)))
let passed = 0
for (const check of wanted) if (await passes(check)) passed++
const failed = wanted.length - passed
console.log(`\n${passed} passed, ${failed} failed`)
process.exitCode = failed > 0 || wanted.length === 0 ? 1 : 0
