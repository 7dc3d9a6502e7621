import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { crossings, tooLong, unclean } from './checks/boundaries.ts'
import { callerGaps } from './checks/callers.ts'
import { movedQuotes } from './checks/guides.ts'
import { limitGaps } from './checks/limits.ts'
import { bareNames, sharedTypeNames } from './checks/names.ts'
import { decisionsFile, unresolved } from './checks/references.ts'
import { circles, crowded, houseOfFiles, houses } from './checks/rooms.ts'
import { lineFigures, sizeTable } from './checks/size.ts'
import { sharedClasses } from './checks/styles.ts'
import { raggedRows } from './checks/tables.ts'
import { untestedRpcs } from './checks/untested.ts'
import { unplain } from './checks/words.ts'
import { loadFiles } from './generate/descriptors.ts'
import { drift } from './generate/drift.ts'
import { eventEntries, eventGaps, serviceSources } from './generate/events/catalogue.ts'
import { brokenContract } from './released/contract.ts'
import { brokenDocuments } from './released/documents.ts'
import { changedMigrations } from './released/record.ts'
import { type CheckResult, root, run } from './run.ts'
import { editableFiles } from './scaffold/guide-blocks.ts'
import { sources, texts, tracked } from './sources.ts'
import { messageOf, seconds } from './stack/messages.ts'

type Check = { name: string; run: () => CheckResult | Promise<CheckResult>; remedy?: string; shows?: boolean }

const failedBy = (problems: string[]): CheckResult => ({ ok: problems.length === 0, output: problems.join('\n') })

function boundaries(): CheckResult {
  const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object }
  return failedBy(crossings(sources(), new Set(Object.keys(dependencies))))
}

async function events(): Promise<CheckResult> {
  return failedBy(eventGaps(eventEntries(await loadFiles(join(root, 'gen')), serviceSources())))
}

async function limits(): Promise<CheckResult> {
  return failedBy(limitGaps(await loadFiles(join(root, 'gen'))))
}

async function callers(): Promise<CheckResult> {
  return failedBy(callerGaps(await loadFiles(join(root, 'gen')), sources()))
}

async function tested(): Promise<CheckResult> {
  return failedBy(untestedRpcs(await loadFiles(join(root, 'gen')), sources()))
}

function references(): CheckResult {
  return failedBy(unresolved(texts(), readFileSync(join(root, decisionsFile), 'utf8')))
}

/** Maxima that may only fall, so that old faults go without new ones coming. */
const maxBareNames = 1
const maxSharedTypeNames = 0
const maxFileCircles = 0

const atMost = (maximum: number, problems: string[]): CheckResult => ({
  ok: problems.length <= maximum,
  output: [...problems, `${problems.length}, at most ${maximum} (see the maxima in cli/check.ts)`].join('\n'),
})

const fileCircles = (): string[] => circles([houseOfFiles(sources())])

function size(): CheckResult {
  const decisions = readFileSync(join(root, decisionsFile), 'utf8').match(/^- \*\*/gm) ?? []
  const output = sizeTable([
    ...lineFigures(texts('*.ts', '*.tsx', '*.js', '*.mjs', '*.css', '*.html')),
    ['bare names', bareNames(sources()).length, 0],
    ['names shared by exported types', sharedTypeNames(sources()).length, 0],
    ['circles of files', fileCircles().length, 0],
    ['rows of docs/decisions.md', decisions.length, 150],
  ])
  return { ok: true, output }
}

const remedy = 'npm run fix'

/** Quick ones first, because lint and types take minutes on a busy machine. */
const checks: Check[] = [
  { name: 'boundaries', run: boundaries },
  { name: 'rooms', run: () => failedBy([...crowded(tracked()), ...circles(houses(sources()))]) },
  { name: 'file lengths', run: () => failedBy(tooLong(sources())) },
  { name: 'loose ends', run: () => failedBy(unclean([...sources(), ...texts('*.proto')])) },
  { name: 'references', run: references },
  { name: 'styles', run: () => failedBy(sharedClasses(texts('edge/front/*.css'))) },
  { name: 'words', run: () => failedBy(unplain(texts())) },
  { name: 'names', run: () => atMost(maxBareNames, bareNames(sources())) },
  { name: 'type names', run: () => atMost(maxSharedTypeNames, sharedTypeNames(sources())) },
  { name: 'circles of files', run: () => atMost(maxFileCircles, fileCircles()) },
  { name: 'tables', run: () => failedBy(raggedRows(texts('*.md'))) },
  { name: 'guides', run: () => failedBy(movedQuotes(editableFiles(root))) },
  { name: 'events', run: events },
  { name: 'limits', run: limits },
  { name: 'callers', run: callers },
  { name: 'RPCs in tests', run: tested },
  { name: 'buf lint', run: () => run('buf', 'lint') },
  { name: 'buf format', run: () => run('buf', 'format', 'proto', '--diff', '--exit-code'), remedy },
  { name: 'buf breaking', run: () => brokenContract() },
  { name: 'documents breaking', run: () => failedBy(brokenDocuments()) },
  { name: 'migrations', run: () => failedBy(changedMigrations()) },
  { name: 'format', run: () => run('biome', 'check', '--max-diagnostics=20', '.'), remedy },
  { name: 'types of the web client', run: () => run('tsc', '--noEmit', '-p', 'edge/front/app') },
  { name: 'generated files', run: drift },
  { name: 'types', run: () => run('tsc', '--noEmit') },
  { name: 'lint', run: () => run('oxlint', '--type-aware', '--deny-warnings') },
  { name: 'size', run: size, shows: true },
]

/** Runs a check and prints its result. A check that can't run has failed. */
async function passes({ name, run: check, remedy: command, shows }: Check): Promise<boolean> {
  const began = Date.now()
  const { ok, output } = await Promise.resolve()
    .then(check)
    .catch((error: unknown) => ({ ok: false, output: messageOf(error) }))
  console.log(`${ok ? '✓' : '✗'} ${name.padEnd(20)} ${seconds(Date.now() - began)}`)
  if (!ok || shows) console.log(`${output}${command ? `\n\nRun ${command} to fix this.` : ''}`.replace(/^/gm, '    '))
  return ok
}

const patterns = process.argv.slice(2)
const chosenChecks = checks.filter(
  ({ name }) => patterns.length === 0 || patterns.some(pattern => name.includes(pattern)),
)
let passed = 0
for (const check of chosenChecks) if (await passes(check)) passed++
const failedCount = chosenChecks.length - passed
console.log(`\n${passed} passed, ${failedCount} failed`)
process.exitCode = failedCount > 0 || chosenChecks.length === 0 ? 1 : 0
