import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type OwnPlatform, startPlatform, withAddresses } from '../kit/platform/platform.ts'

const test = suite('README')
const root = new URL('../../', import.meta.url)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')
const readme = read('README.md')
const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }

let platform: OwnPlatform
test.before(async () => {
  platform = await startPlatform('one', { SEED_DEMO: 'true' })
})
test.after(() => platform.stop())

test('the first steps can be copied as they are', () => {
  const block = /## First steps[\s\S]*?```sh\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  const { stdout, stderr, status } = spawnSync(
    'bash',
    ['--norc', '-euo', 'pipefail', '-c', withAddresses(platform, block)],
    {
      // With a socket as stdin, bash would read its startup files.
      stdio: ['ignore', 'pipe', 'pipe'],
      encoding: 'utf8',
      timeout: 60_000,
    },
  )
  assert.equal([status, stderr], [0, ''])
  const [profile, notifications] = stdout
    .split('\n')
    .filter(Boolean)
    .map(line => JSON.parse(line))
  assert.is(profile.email, 'bo@demo.example')
  assert.is(notifications.meta.limit, 1)
})

/** The pages for readers: those in the root folder and all below docs. */
const pages = [
  ...['README.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md'],
  ...readdirSync(new URL('docs/', root), { recursive: true, encoding: 'utf8' }).map(name => `docs/${name}`),
]
  .filter(name => name.endsWith('.md'))
  .map(name => ({ name, text: read(name) }))

test('every command, file and folder that the pages name exists', () => {
  for (const { name, text } of pages) {
    for (const [, script = ''] of text.matchAll(/`npm (?:run )?(?:--silent )?(\w+)/g))
      assert.ok(scripts[script] || script === 'audit', `${name}: npm ${script}`)
    for (const [, link = ''] of text.matchAll(/\]\(([^)#:]+)\)/g))
      assert.ok(existsSync(fileURLToPath(new URL(link, new URL(name, root)))), `${name}: ${link}`)
    for (const [, path = ''] of text.matchAll(/`((?:\.?[a-z][\w.-]*\/)+[\w.-]*)`/g))
      if (!path.startsWith('.data')) assert.ok(existsSync(fileURLToPath(new URL(path, root))), `${name}: ${path}`)
  }
  for (const [, script = ''] of readme.matchAll(/^npm (?:run )?(\w+)/gm)) assert.ok(scripts[script], script)
})

test('SECURITY.md refers to existing rows of docs/threats.md', () => {
  const rows = new Set([...read('docs/threats.md').matchAll(/^\| ([A-Z]\d+) \|/gm)].map(([, id]) => id))
  const ids = [...read('SECURITY.md').matchAll(/\b[TF]\d+\b/g)].map(([id]) => id)
  assert.ok(ids.length > 15)
  for (const id of ids) assert.ok(rows.has(id), id)
})

test('CHANGELOG.md has the version of package.json', () => {
  const { version } = JSON.parse(read('package.json')) as { version: string }
  assert.ok(read('CHANGELOG.md').includes(`\n## ${version} (`))
})

test('every page of a decision is listed, with its number and title', () => {
  const list = read('docs/decisions.md')
  for (const { name, text } of pages.filter(page => page.name.startsWith('docs/decisions/'))) {
    const [, number, title] = /^# (\d{4}): (.*)$/m.exec(text) ?? []
    assert.ok(list.includes(`| [${number}](${name.slice('docs/'.length)}) | ${title} |`), name)
  }
})

test.run()
