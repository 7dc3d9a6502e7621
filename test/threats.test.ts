import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'

const test = suite('docs/threats.md')
const root = new URL('../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

const rows = [...read('docs/threats.md').matchAll(/^\| ([A-Z])(\d+) \|(.*)\|$/gm)].map(
  ([, kind = '', number, cells = '']) => ({ id: kind + number, kind, number: Number(number), cells }),
)

/** Tests that a row names: titles in curly quotes, each of the file that was named last. */
function* named(cells: string): Generator<{ file: string; title: string }> {
  let file = ''
  for (const [, path, title] of cells.matchAll(/`([^`]+\.test\.ts)`|“([^”]+)”/g)) {
    if (path) file = path
    else if (title) yield { file, title }
  }
}

test('every hazard, threat, fault, goal and convention has one row', () => {
  // As many as the catalogue has.
  for (const [kind, count] of Object.entries({ H: 15, T: 46, F: 25, G: 10, C: 15 })) {
    const numbers = rows.filter(row => row.kind === kind).map(row => row.number)
    assert.equal(
      numbers,
      Array.from({ length: count }, (_, at) => at + 1),
      kind,
    )
  }
})

test('every test that a row names is in its file', () => {
  assert.ok(rows.flatMap(({ cells }) => [...named(cells)]).length > 150)
  const texts = new Map<string, string>()
  const missing: string[] = []
  for (const { id, cells } of rows)
    for (const { file, title } of named(cells)) {
      if (!texts.has(file)) texts.set(file, read(file))
      // As it stands in the source; of one that ends in … its beginning.
      const wanted = title.endsWith(' …') ? title.slice(0, -2) : title
      const found = ["'", '`', '"'].some(quote =>
        (texts.get(file) ?? '')
          .replaceAll("\\'", "'")
          .includes(title.endsWith(' …') ? quote + wanted : quote + wanted + quote),
      )
      if (!found) missing.push(`${id}: ${file}: ${title}`)
    }
  assert.equal(missing, [])
})

test('a row without a test says why', () => {
  for (const { id, cells } of rows) if ([...named(cells)].length === 0) assert.match(cells, /No test:|Not proven/, id)
})

test.run()
