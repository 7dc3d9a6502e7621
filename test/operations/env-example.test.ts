import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sources } from '../../cli/sources.ts'
import { settingsIn } from '../kit/platform/settings-in-code.ts'

const test = suite('.env.example')
const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

const lines = [...read('.env.example').matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)]
const documentedSettings = lines.map(([, hash, name = '', value = '']) => ({
  name,
  value: value.replace(/^'(.*)'$/, '$1'),
  isSet: hash === '',
}))
const names = new Set(documentedSettings.map(({ name }) => name))

const inCode = Map.groupBy(settingsIn(sources()), ({ name }) => name)
const inCompose = [...read('compose.yml').matchAll(/\$\{(\w+)(:\?)?/g)]
const knownNames = new Set([...inCode.keys(), ...inCompose.map(match => match[1] ?? '')])

test('settings are found in the code for every way of reading them', () => {
  const ways = [
    'SERVICES',
    'LOG_LEVEL',
    'DATA_DIR',
    'JWT_ACCESS_SECRET',
    'STRIPE_WEBHOOK_TARGET',
    'NEWS_PORT',
    'AUTH_RPC_URL',
  ]
  for (const name of [...ways, 'AMQP_QUEUE_NAME']) assert.ok(inCode.has(name), name)
})

test('it contains every setting that the code or compose.yml reads', () => {
  assert.equal(
    [...knownNames].filter(name => !names.has(name)),
    [],
  )
})

test('it names no unused setting, and none twice', () => {
  assert.equal(
    [...names].filter(name => !knownNames.has(name)),
    [],
  )
  assert.is(names.size, documentedSettings.length)
})

test('a commented-out value is the default in the code, which is the same for every reader', () => {
  for (const { name, value, isSet } of documentedSettings) {
    const defaults = new Set((inCode.get(name) ?? []).flatMap(({ fallback }) => fallback ?? []))
    if (isSet || defaults.size === 0) continue
    assert.equal([...defaults], [value], name)
  }
})

test('settings required by compose.yml are left empty, or have a working value', () => {
  const requiredNames = new Set(inCompose.filter(match => match[2]).map(match => match[1] ?? ''))
  const offeredNames = new Set(documentedSettings.filter(({ isSet }) => isSet).map(({ name }) => name))
  assert.equal(
    [...requiredNames].filter(name => !offeredNames.has(name)),
    [],
  )
})

test('it contains no secret', () => {
  const secrets = documentedSettings.filter(({ name }) =>
    /(SECRET|_PASSWORD|_KEY|_TOKEN)(_PREVIOUS|_NEXT)?$/.test(name),
  )
  assert.ok(secrets.length > 10)
  assert.equal(
    secrets.filter(({ value }) => value !== ''),
    [],
  )
})

test.run()
