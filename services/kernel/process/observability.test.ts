import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { Writable } from 'node:stream'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ConfigError } from './config.ts'
import { createLog, silentLog } from './log.ts'
import { createMetrics, serveMetrics } from './metrics.ts'
import { startObservability } from './observability.ts'

const test = suite('process observability')

test('metrics are Prometheus text, and only /live is served beside them', async () => {
  const { registry, observe: count } = createMetrics()
  count('platform.member.v1.TeamService/CreateTeam', 'ok', 12)
  const served = await serveMetrics(() => registry.metrics(), '127.0.0.1', 0)
  const answer = await fetch(`http://127.0.0.1:${served.port}/metrics`)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  assert.match(
    await answer.text(),
    /rpc_duration_seconds_count\{rpc="platform\.member\.v1\.TeamService\/CreateTeam",result="ok"\} 1/,
  )
  assert.equal(await (await fetch(`http://127.0.0.1:${served.port}/live`)).json(), { live: true })
  assert.is((await fetch(`http://127.0.0.1:${served.port}/`)).status, 404)
  await served.close()
})

test('a process whose metrics port is in use continues, and logs the setting that moves it', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => other.once('listening', resolve))
  let output = ''
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      output += String(chunk)
      callback()
    },
  })
  const { port } = other.address() as AddressInfo
  const log = createLog('test', 'info', stream)
  const observability = await startObservability({ METRICS_PORT: String(port) }, 'member', log, async () => '')
  await observability.stop()
  assert.match(output, /set MEMBER_METRICS_PORT to another/)
  other.close()
})

test('an invalid collector address or a share above 1 is refused at start by name', async () => {
  for (const [name, value] of [
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
  ] as const) {
    const error = await startObservability({ [name]: value }, 'member', silentLog).then(
      () => undefined,
      thrown => thrown as Error,
    )
    assert.instance(error, ConfigError)
    assert.match(error?.message ?? '', name)
    assert.not.match(error?.message ?? '', value)
  }
})

test.run()
