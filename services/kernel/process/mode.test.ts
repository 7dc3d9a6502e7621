import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigError } from './config.ts'
import { modeOf } from './mode.ts'

const test = suite('NODE_ENV')

test('the default is development, and staging counts as production', () => {
  const modes = [undefined, '', 'development', 'test', 'staging', 'production'].map(mode => modeOf({ NODE_ENV: mode }))
  assert.equal(modes, ['development', 'development', 'development', 'test', 'production', 'production'])
})

test('any other value is refused, so that none opens what production closes', () => {
  for (const NODE_ENV of ['prod', 'Production', 'dev', 'PRODUCTION', 'production ', 'local', 'undefined'])
    assert.throws(
      () => modeOf({ NODE_ENV }),
      (error: unknown) => error instanceof ConfigError && /NODE_ENV: must be one of/.test(error.message),
      NODE_ENV,
    )
})

/** The output and exit code of a process that fails to start. */
async function runToExit(
  program: string,
  settings: Record<string, string>,
): Promise<{ lines: string[]; code: unknown }> {
  const script = fileURLToPath(new URL(program, import.meta.url))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, ...secrets, ...settings }
  const child = spawn(process.execPath, [script], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (text += part.toString()))
  const [code] = await once(child, 'close')
  return { lines: text.trimEnd().split('\n'), code }
}
const longSecret = 'ab1'.repeat(12)
const secrets = { JWT_ACCESS_SECRET: longSecret, SERVICE_API_KEY: longSecret, AMQP_GATEWAY_URL: 'nats://127.0.0.1:1' }

test('services, edge and sandbox exit with one line that names the setting', async () => {
  for (const [program, settings, pattern] of [
    ['../../main.ts', { SERVICES: 'member', NODE_ENV: 'prod' }, /NODE_ENV: must be one of development, test, staging/],
    ['../../../edge/main.ts', { NODE_ENV: 'Production' }, /NODE_ENV: must be one of/],
    ['../../sandbox/main.ts', { NODE_ENV: 'prod' }, /NODE_ENV: must be one of/],
    ['../../sandbox/main.ts', { NODE_ENV: 'staging' }, /must not run in production/],
    [
      '../../../edge/main.ts',
      { CORS_ORIGINS: 'https://*.example' },
      /CORS_ORIGINS: https:\/\/\*\.example is not an origin/,
    ],
  ] as const) {
    const { lines, code } = await runToExit(program, settings)
    assert.is(code, 1)
    assert.is(lines.length, 1, lines.join('\n'))
    assert.match(lines[0] ?? '', pattern)
  }
})

test.run()
