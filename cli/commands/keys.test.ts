import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { recorded } from '../../test/kit/coverage.ts'
import { sources } from '../sources.ts'
import { loadSecrets, newSecret, rotatableSecrets } from '../stack/secrets.ts'
import { keyFile } from './keys/file.ts'
import { sealedColumns } from './keys/reseal.ts'
import { nextStep, retirement, stageOf } from './keys/steps.ts'

const test = suite('platform keys')
const folder = mkdtempSync(join(tmpdir(), 'keys-'))
test.after(() => rmSync(folder, { recursive: true }))

const name = 'JWT_ACCESS_SECRET'
const secret = newSecret(name)
let files = 0
function fileWith(text: string, ending = 'env'): string {
  const path = join(folder, `${files++}.${ending}`)
  writeFileSync(path, text, { mode: 0o644 })
  return path
}
const stepped = (path: string, atOnce = false) => {
  const file = keyFile(path)
  file.write(nextStep(file, name, atOnce).changes)
  return keyFile(path)
}

test('a secret is prepared, switched and retired, and each step out of order is refused', () => {
  const path = fileWith(`${name}=${secret}\n`)
  assert.is(stageOf(keyFile(path), name), 'settled')
  assert.throws(() => retirement(keyFile(path), name), /has no previous value/)
  const prepared = stepped(path)
  assert.equal([stageOf(prepared, name), prepared.get(name)], ['prepared', secret])
  assert.throws(() => retirement(prepared, name), /in progress/)
  const next = prepared.get(`${name}_NEXT`)
  const switched = stepped(path)
  assert.equal(
    [stageOf(switched, name), switched.get(name), switched.get(`${name}_PREVIOUS`)],
    ['switched', next, secret],
  )
  assert.throws(() => nextStep(switched, name, false), /retire/)
  switched.write(retirement(switched, name).changes)
  assert.equal(readFileSync(path, 'utf8'), `${name}=${next}\n`)
  assert.is(stageOf(keyFile(fileWith('')), name), 'missing')
  assert.throws(() => nextStep(keyFile(fileWith('')), name, false), /has no JWT_ACCESS_SECRET/)
})

test('an immediate switch makes the old value the previous one, and completes a prepared step', () => {
  const file = stepped(fileWith(`${name}=${secret}`), true)
  assert.equal([stageOf(file, name), file.get(`${name}_PREVIOUS`)], ['switched', secret])
  const path = fileWith(`${name}=${secret}`)
  const next = stepped(path).get(`${name}_NEXT`)
  assert.is(stepped(path, true).get(name), next)
})

test('lines of other settings are unchanged, however the secret is written', () => {
  const path = fileWith(`# first\nPORT=1\n export ${name}="old-one"\n${name}='${secret}'\n#${name}_NEXT=\nLAST=2`)
  const file = keyFile(path)
  assert.is(file.get(name), secret)
  file.write({ [`${name}_NEXT`]: 'b' })
  file.write({ [name]: 'a' })
  assert.is(readFileSync(path, 'utf8'), `# first\nPORT=1\n${name}=a\n${name}_NEXT=b\n#${name}_NEXT=\nLAST=2\n`)
  assert.is(statSync(path).mode & 0o777, 0o600)
})

test('npm start reads its secrets from the written file and keeps its values', () => {
  loadSecrets(folder)
  const path = join(folder, 'secrets.json')
  const before = JSON.parse(readFileSync(path, 'utf8'))
  stepped(path, true)
  const after = loadSecrets(folder)
  assert.is(after[`${name}_PREVIOUS`], before[name])
  assert.is.not(after[name], before[name])
  assert.is(after.databaseSeed, before.databaseSeed)
  const file = keyFile(path)
  file.write({ databaseAdmin: undefined })
  assert.is(loadSecrets(folder)[`${name}_PREVIOUS`], before[name])
})

test('an interrupted run is detected, and an unreadable file is not quoted', () => {
  const path = fileWith(`${name}=${secret}\n`)
  writeFileSync(`${path}.new`, '')
  assert.throws(() => stepped(path), /another run/)
  assert.is(readFileSync(path, 'utf8'), `${name}=${secret}\n`)
  assert.throws(
    () => keyFile(fileWith(`{"a": "${secret}`, 'json')),
    (error: Error) => !error.message.includes(secret),
  )
  assert.throws(() => keyFile(join(folder, 'none')), /does not exist/)
})

test('the command prints what it did and the next step, and never a value', () => {
  const path = fileWith(rotatableSecrets.map(each => `${each}=${newSecret(each)}`).join('\n'))
  const run = (...words: string[]) => {
    const args = [fileURLToPath(new URL('../bootstrap.mjs', import.meta.url)), 'platform', 'keys', ...words]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      env: { PATH: process.env['PATH'], ...recorded() },
      encoding: 'utf8',
    })
    return { status, output: stdout + stderr }
  }
  const values = () =>
    readFileSync(path, 'utf8')
      .split('\n')
      .flatMap(line => line.split('=')[1] || [])
  const formerValues = values()
  const prepared = run('rotate', 'all', '--file', path)
  assert.is(prepared.status, 0)
  assert.match(prepared.output, /SERVICE_API_KEY is prepared[\s\S]*one after the other[\s\S]*again/)
  const switched = run('rotate', 'all', '--file', path, '--json')
  assert.match(switched.output, /"stage": "switched"/)
  const unknown = run('rotate', 'DATABASE_URL', '--file', path)
  assert.equal([unknown.status, /must be one of/.test(unknown.output)], [2, true])
  const listing = run('list', '--file', path)
  assert.match(listing.output, /PASSWORD_ENCRYPTION_KEY\s+switched/)
  for (const value of [...formerValues, ...values()])
    for (const { output } of [prepared, switched, unknown, listing]) assert.not.match(output, value)
})

test('values sealed with the storage key are sealed again, each kind of them', () => {
  const otherPurposes = [
    // Depends on the tokens' secrets; these expire by themselves.
    'access-token',
    'kept-answer',
    'legacy-refresh-token',
    'legacy-reset-token',
    'legacy-create-password-token',
    // In mails and events in flight.
    'invitation-link',
    'unsubscribe',
  ]
  const files = sources().filter(({ path }) => path.startsWith('services/') && !path.endsWith('.test.ts'))
  const purposes = new Set(
    files.flatMap(({ text }) => [...text.matchAll(/\bcipher\('([\w-]+)'/g)].map(match => match[1] ?? '')),
  )
  assert.equal(purposes, new Set([...otherPurposes, ...sealedColumns.map(({ purpose }) => purpose)]))
})

test.run()
