import { Writable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createLog } from './log.ts'

const test = suite('the process log')
const canary = 'canary-7f3a'

/** What a log writes for one call. */
function written(write: (log: ReturnType<typeof createLog>) => void): string {
  let text = ''
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString()
      done()
    },
  })
  write(createLog('test', 'trace', stream))
  return text
}

test('secrets are removed at the top and one level down', () => {
  const names = [
    'password',
    'newPassword',
    'oldPassword',
    'token',
    'accessToken',
    'refreshToken',
    'apiSecret',
    'apiKey',
    'authorization',
  ]
  const secrets = Object.fromEntries(names.map(name => [name, canary]))
  const text = written(log => log.info({ ...secrets, body: secrets, headers: { 'x-api-key': canary } }, 'signed in'))
  assert.not.match(text, canary)
  assert.match(text, 'signed in')
})

test('a line break in a value stays inside its line', () => {
  const text = written(log => log.info({ name: 'a\r\n{"level":60}' }, 'b\nc'))
  assert.is(text.trimEnd().split('\n').length, 1)
})

test('an error keeps its message and stack for the log alone', () => {
  assert.match(
    written(log => log.error({ err: new Error('the cause') }, 'failed')),
    'the cause',
  )
})

test.run()
