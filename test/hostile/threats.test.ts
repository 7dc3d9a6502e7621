import { existsSync, readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

/** Both tables name tests by their titles; in the second, each requirement has a verdict. */
const test = suite('docs/threats.md and docs/asvs.md')
const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const rows = [...read('docs/threats.md').matchAll(/^\| ([A-Z])(\d+) \|(.*)\|$/gm)].map(
  ([, kind = '', number, cells = '']) => ({ id: kind + number, kind, number: Number(number), cells }),
)

/** Tests that a row names: titles in curly quotes, each in the file named last before it. */
function* testsIn(cells: string): Generator<{ file: string; title: string }> {
  let file = ''
  for (const [, path, title] of cells.matchAll(/`([^`]+\.(?:test|trial)\.ts)`|“([^”]+)”/g)) {
    if (path) file = path
    else if (title) yield { file, title: title.replaceAll('\\|', '|') }
  }
}

test('every hazard, threat, fault, goal and convention has one row', () => {
  // The number of entries in the catalogue.
  for (const [kind, count] of Object.entries({ H: 15, T: 48, R: 35, F: 25, G: 10, C: 15 })) {
    const numbers = rows.filter(row => row.kind === kind).map(row => row.number)
    assert.equal(
      numbers,
      Array.from({ length: count }, (_, at) => at + 1),
      kind,
    )
  }
})

const texts = new Map<string, string>()

/** Named tests that don't exist. */
function missingOf(rows: { id: string; cells: string }[]): string[] {
  const missing: string[] = []
  for (const { id, cells } of rows)
    for (const { file, title } of testsIn(cells)) {
      if (!texts.has(file)) texts.set(file, read(file))
      // The title as in the source; for a title that ends in …, its beginning.
      const titleStart = title.endsWith(' …') ? title.slice(0, -2) : title
      const isFound = ["'", '`', '"'].some(quote =>
        (texts.get(file) ?? '')
          .replaceAll("\\'", "'")
          .includes(title.endsWith(' …') ? quote + titleStart : quote + titleStart + quote),
      )
      if (!isFound) missing.push(`${id}: ${file}: ${title}`)
    }
  return missing
}

test('every test named by a row is in its file', () => {
  assert.ok(rows.flatMap(({ cells }) => [...testsIn(cells)]).length > 150)
  assert.equal(missingOf(rows), [])
})

test('a row without a test has a reason', () => {
  for (const { id, cells } of rows) if ([...testsIn(cells)].length === 0) assert.match(cells, /No test:|Not proven/, id)
})

/** Number of level 1 and 2 requirements in each section of ASVS 5.0; the missing numbers are of level 3. */
const sections =
  '1.1:2 1.2:9 1.3:11 1.4:3 1.5:2 2.1:3 2.2:3 2.3:4 2.4:1 3.2:2 3.3:4 3.4:6 3.5:5 3.7:2 4.1:3 4.2:1 4.3:2 4.4:4 ' +
  '5.1:1 5.2:3 5.3:2 5.4:3 6.1:3 6.2:12 6.3:4 6.4:4 6.5:5 6.6:3 6.8:4 7.1:3 7.2:4 7.3:2 7.4:5 7.5:2 7.6:2 8.1:2 ' +
  '8.2:3 8.3:1 8.4:1 9.1:3 9.2:4 10.1:2 10.2:2 10.3:4 10.4:11 10.5:5 10.6:2 10.7:3 11.1:2 11.2:3 11.3:3 11.4:4 ' +
  '11.5:1 11.6:1 12.1:3 12.2:2 12.3:4 13.1:1 13.2:5 13.3:2 13.4:5 14.1:2 14.2:4 14.3:3 15.1:3 15.2:3 15.3:7 ' +
  '16.1:1 16.2:5 16.3:4 16.4:3 16.5:3 17.1:1 17.2:4 17.3:2'

/** Rows of the second table; `10.2.1–10.2.2` stands for each of them. */
const requirements = [
  ...read('docs/asvs.md').matchAll(/^\| ([\d.]+)(?:–([\d.]+))? \| [12/]+ \| [^|]+ \| ([^|]+) \| (.*) \|$/gm),
].map(([, from = '', to = from, verdict = '', cells = '']) => ({ id: from, to, verdict, cells }))
const last = (id: string): number => Number(id.split('.')[2])
const sectionOf = (id: string): string => id.replace(/\.\d+$/, '')

test('every requirement of ASVS 5.0 levels 1 and 2 has one verdict', () => {
  const counts = new Map<string, number>()
  const before = new Map<string, number>()
  for (const { id, to } of requirements) {
    const section = sectionOf(id)
    assert.ok(last(id) > (before.get(section) ?? 0), id)
    before.set(section, last(to))
    counts.set(section, (counts.get(section) ?? 0) + last(to) - last(id) + 1)
  }
  assert.equal([...counts].map(([section, count]) => `${section}:${count}`).join(' '), sections)
  assert.is(
    [...counts.values()].reduce((sum, one) => sum + one, 0),
    253,
  )
})

test('a met requirement names an existing test or file, and any other has a reason and its decision', () => {
  assert.equal(missingOf(requirements), [])
  for (const { id, verdict, cells } of requirements) {
    for (const [, path = ''] of cells.matchAll(/`((?:bench|cli|docs|edge|services|test)\/[^` ]*)`/g))
      assert.ok(existsSync(new URL(path, root)), `${id}: ${path}`)
    if (verdict === 'met') assert.match(cells, /`[\w./-]+`|Above, \*/, id)
    else if (verdict === 'deviates') assert.match(cells, /\[[DR]\d+\]|[Tt]he (?:outside )?contract|SECURITY\.md/, id)
    else assert.is(verdict, 'n/a', id)
  }
  const text = read('docs/asvs.md')
  for (const [, heading = ''] of text.matchAll(/Above, \*([^*]+)\*/g))
    assert.ok(text.includes(`**${heading}.**`), heading)
  for (const [, heading = ''] of text.matchAll(/SECURITY\.md, \*([^*]+)\*/g))
    assert.match(read('SECURITY.md'), new RegExp(`(\\*\\*|## )${heading}`), heading)
})

test.run()
