import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { address, ConfigError, integer, readSetting, readSettings, secret } from './config.ts'

const test = suite('settings')

test('a service’s prefixed variable takes precedence over the shared one', () => {
  assert.is(readSetting({ MEMBER_PORT: '1', PORT: '2' }, 'MEMBER', 'PORT'), '1')
  assert.is(readSetting({ PORT: '2' }, 'MEMBER', 'PORT'), '2')
})

test('a secret can stand in a file', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'settings-'))
  const file = path.join(folder, 'key')
  writeFileSync(file, 'a-secret-from-a-file\n')
  assert.is(readSetting({ SERVICE_API_KEY_FILE: file }, '', 'SERVICE_API_KEY'), 'a-secret-from-a-file')
  rmSync(folder, { recursive: true })
})

test('every invalid setting is reported at once, without its value', () => {
  const shape = { DATABASE_URL: address('mysql'), PORT: integer(0, 65_535), SERVICE_API_KEY: secret }
  const env = { DATABASE_URL: 'postgres://user:hunter2@db', PORT: '70000', SERVICE_API_KEY: '<SERVICE_API_KEY>' }
  let message = ''
  try {
    readSettings(env, 'NEWS', shape)
  } catch (error) {
    assert.instance(error, ConfigError)
    message = (error as Error).message
  }
  for (const name of Object.keys(shape)) assert.match(message, `NEWS_${name} or ${name}`)
  assert.not.match(message, 'hunter2')
  assert.not.match(message, '70000')
})

test('an unset setting uses its default, and is reported without one', () => {
  assert.equal(readSettings({}, '', { PORT: integer(0, 9).default(3) }), { PORT: 3 })
  assert.throws(() => readSettings({}, '', { SERVICE_API_KEY: secret }), /is required/)
})

test.run()
