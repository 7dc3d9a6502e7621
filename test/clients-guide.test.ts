import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RestService } from '../edge/catalogue.ts'
import { listeners } from '../edge/config.ts'
import { type Platform, startPlatform } from './support/platform.ts'

const test = suite('docs/guides/clients.md')
const root = fileURLToPath(new URL('../', import.meta.url))
const [rest = '', connect = ''] = [
  ...readFileSync(`${root}docs/guides/clients.md`, 'utf8').matchAll(/```ts\n([\s\S]*?)```/g),
].map(([, code]) => code ?? '')

let platform: Platform
test.before(async () => {
  platform = await startPlatform('one', { SEED_DEMO: 'true' })
})
test.after(() => platform.stop())

/** Runs a program of the guide as it stands; only the addresses are those of this platform. */
function printed(code: string): unknown {
  const addresses = `addresses: ${JSON.stringify(platform.urls)}`
  const here = code
    .replace("host: 'http://127.0.0.1'", addresses)
    .replace(/http:\/\/127\.0\.0\.1:(\d+)/g, (address, port) => {
      const [name] = Object.entries(listeners).find(([, listener]) => listener.port === Number(port)) ?? []
      return name ? platform.urls[name as RestService] : address
    })
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module-typescript', '--eval', here], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.is(status, 0, stderr)
  return JSON.parse(stdout)
}

test('the REST client of the guide runs as it stands', () => {
  assert.equal(printed(rest), ['The pool opens at ten', 'draft', 'NotFoundError'])
})

test('the Connect client of the guide runs as it stands', () => {
  assert.equal(printed(connect), 'ada@demo.example')
})

test.run()
