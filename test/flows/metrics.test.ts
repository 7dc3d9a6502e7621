import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { recorded } from '../kit/coverage.ts'
import { eventually } from '../kit/kit.ts'
import { startPlatform } from '../kit/platform/platform.ts'

const test = suite('metrics of several worker processes')

/** Calls of an RPC with any result, from the text that Prometheus reads. */
const callsOf = (text: string, rpc: string): number =>
  [...text.matchAll(/^rpc_duration_seconds_count\{([^}]*)\} (\d+)$/gm)]
    .filter(([, labels = '']) => labels.includes(`"${rpc}"`))
    .reduce((sum, [, , count]) => sum + Number(count), 0)

/** The metrics that the dashboard and the alerts use. */
function monitoredMetrics(): string[] {
  const read = (name: string) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
  const { groups } = parse(read('prometheus-rules.yaml')) as { groups: { rules: { expr: string }[] }[] }
  const queries = [...panels.flatMap(({ targets }) => targets), ...groups.flatMap(({ rules }) => rules)]
  const names = queries.flatMap(({ expr }) => expr.match(/\b[a-z]+(_[a-z]+)+\b(?!\()/g) ?? [])
  return [...new Set(names.map(name => name.replace(/_(bucket|count|sum)$/, '')))]
}

test('one address shows the sum of all of them, whichever answers, and every metric that is monitored', async () => {
  const platform = await startPlatform('one', { WORKERS: '2', ...recorded() })
  try {
    const scrape = async () => (await fetch(`http://127.0.0.1:${platform.env['PLATFORM_METRICS_PORT']}/metrics`)).text()
    const shown = await scrape()
    const monitored = monitoredMetrics()
    assert.ok(monitored.length >= 12)
    for (const name of monitored) assert.match(shown, new RegExp(`^# TYPE ${name} `, 'm'))
    const rpc = 'platform.auth.v1.SignInService/Login'
    const before = callsOf(await scrape(), rpc)
    const body = JSON.stringify({ email: 'nobody@hotel.example', password: 'not the password' })
    // Each on a new connection, so that the processes take turns.
    for (let i = 0; i < 10; i++) {
      const headers = { 'content-type': 'application/json', connection: 'close' }
      const answer = await fetch(`${platform.urls.auth}/auth/login`, { method: 'POST', headers, body })
      assert.is(answer.status, 401)
    }
    // A call is counted when it ends, which may be after its answer.
    const count = async () => callsOf(await scrape(), rpc) - before
    await eventually(async () => (await count()) >= 10)
    assert.is(await count(), 10)
  } finally {
    await platform.stop()
  }
})

test.run()
