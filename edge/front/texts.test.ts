import { readdirSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { frontBundle } from '../../cli/build/bundles.ts'

/*
 * The texts of the web client: `app/locales/` has those of the first load, `app/locales/rooms/` those of the pages whose
 * code is loaded later. The compiler knows the names that components use.
 */
const test = suite('texts of the web client')

/** A text, its forms for counts, or a table of names that are looked up by value. */
type Text = string | Record<string, string>
type Texts = Record<string, Record<string, Text>>

const app = new URL('app/', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, app), 'utf8')
const firstTextsOf = (file: string): Texts => JSON.parse(read(`locales/${file}`)) as Texts
const textsOf = (file: string): Texts => ({ ...firstTextsOf(file), ...firstTextsOf(`rooms/${file}`) })
const english = textsOf('en.json')
const translations = readdirSync(new URL('locales/rooms', app)).filter(file => file !== 'en.json')
const sources = readdirSync(app, { recursive: true, encoding: 'utf8' })
  .filter(path => /\.tsx?$/.test(path))
  .map(read)

const isTable = (text: Text): text is Record<string, string> => typeof text !== 'string' && !('other' in text)
const valuesIn = (text: Text): string[] => [...JSON.stringify(text).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)

/** The texts of a language by screen and name, those of tables one by one. */
const entriesOf = (texts: Texts): Map<string, Text> =>
  new Map(
    Object.entries(texts).flatMap(([screen, screenTexts]) =>
      Object.entries(screenTexts).flatMap(([name, text]) =>
        isTable(text)
          ? Object.entries(text).map(([value, one]) => [`${screen} ${name}.${value}`, one] as const)
          : [[`${screen} ${name}`, text] as const],
      ),
    ),
  )

test('every language has every text, without values that English lacks', () => {
  const englishEntries = entriesOf(english)
  for (const file of translations) {
    const entries = entriesOf(textsOf(file))
    assert.equal([...entries.keys()].toSorted(), [...englishEntries.keys()].toSorted(), file)
    const strange = [...entries].filter(([name, text]) => {
      const values = valuesIn(englishEntries.get(name) ?? '')
      return valuesIn(text).some(value => !values.includes(value))
    })
    assert.equal(strange, [], file)
  }
})

/** Places where a variable of a screen's texts is read, with what stands before and after. */
const usesOf = (source: string, screen: string, name: string): RegExpMatchArray[] =>
  [...source.matchAll(new RegExp(`const (\\w+) = (?:useTexts|textsOf)\\('${screen}'\\)`, 'g'))].flatMap(([, t]) => [
    ...source.matchAll(new RegExp(`(fill\\(\\s*)?\\b${t}\\.${name}\\b(.{0,200})`, 'gs')),
  ])

test('every text is used by its screen, and gets its values', () => {
  const problems = Object.entries(english).flatMap(([screen, screenTexts]) => {
    const users = screen === 'common' ? sources : sources.filter(source => source.includes(`'${screen}'`))
    return Object.entries(screenTexts).flatMap(([name, text]) => {
      if (!users.some(source => new RegExp(`\\.${name}\\b|'${name}'`).test(source)))
        return [`${screen} ${name} is unused`]
      const values = isTable(text) ? [] : valuesIn(text)
      if (values.length === 0) return []
      return users
        .flatMap(source => usesOf(source, screen, name))
        .filter(([, fill, rest = '']) =>
          values.some(value => !fill || !new RegExp(`^,\\s*\\{[^}]*\\b${value}\\b`).test(rest)),
        )
        .map(([use]) => `${screen} ${name} needs ${values}: ${use}`)
    })
  })
  assert.equal(problems, [])
})

/** The sources that are in the files of the first load. */
async function loadFirstSources(): Promise<string[]> {
  const { metafile } = await build({ ...frontBundle, metafile: true, write: false })
  const files = new Map(Object.entries(metafile.outputs).map(([path, file]) => [basename(path), file]))
  const names = new Set(['main.js'])
  for (const name of names)
    for (const { kind, path } of files.get(name)?.imports ?? [])
      if (kind === 'import-statement') names.add(basename(path))
  const folder = fileURLToPath(app)
  return [...names]
    .flatMap(name => Object.keys(files.get(name)?.inputs ?? {}))
    .filter(path => resolve(path).startsWith(folder))
}

test('the first load has the texts of its screens and of no others', async () => {
  const firstSources = await loadFirstSources()
  assert.ok(firstSources.length > 50, `${firstSources.length}`)
  const uses = firstSources.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(/\b(?:useTexts|textsOf)\('([^']+)'\)/g)].map(([, screen]) => screen),
  )
  const screens = Object.keys(firstTextsOf('en.json')).filter(screen => screen !== 'common' && screen !== 'language')
  assert.equal(screens.toSorted(), [...new Set(uses)].toSorted())
})

test.run()
