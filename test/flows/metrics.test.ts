import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { sharedPlatform } from '../kit/platform/shared.ts'

const test = suite('metrics of a platform')

/** The metrics that the dashboard and the alerts use. */
function monitoredMetrics(): string[] {
  const read = (name: string) => readFileSync(new URL(`../../deploy/monitoring/${name}`, import.meta.url), 'utf8')
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: { targets: { expr: string }[] }[] }
  const { groups } = parse(read('prometheus-rules.yaml')) as { groups: { rules: { expr: string }[] }[] }
  const queries = [...panels.flatMap(({ targets }) => targets), ...groups.flatMap(({ rules }) => rules)]
  const names = queries.flatMap(({ expr }) => expr.match(/\b[a-z]+(_[a-z]+)+\b(?!\()/g) ?? [])
  return [...new Set(names.map(name => name.replace(/_(bucket|count|sum)$/, '')))]
}

test('every metric that the dashboard and the alerts use is exposed', async () => {
  const { env } = await sharedPlatform()
  const text = await (await fetch(`http://127.0.0.1:${env['PLATFORM_METRICS_PORT']}/metrics`)).text()
  const names = monitoredMetrics()
  assert.ok(names.length >= 12)
  for (const name of names) assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'))
})

test('what waits, what failed and what is open has a value, each once', async () => {
  const { env, urls } = await sharedPlatform()
  await fetch(`${urls.member}/nowhere`)
  const text = await (await fetch(`http://127.0.0.1:${env['PLATFORM_METRICS_PORT']}/metrics`)).text()
  const labelsOf = (name: string, label: string) =>
    [...text.matchAll(new RegExp(`^${name}\\{(?:.*,)?${label}="([^"]+)".*\\} \\d`, 'gm'))].map(([, value]) => value)
  assert.equal(labelsOf('outbox_pending', 'service').toSorted(), [
    ...['auth', 'hotel', 'member', 'news', 'notification', 'payment'],
  ])
  assert.equal(labelsOf('queue_waiting', 'queue').toSorted(), [
    ...['account-mails', 'email', 'fcm', 'onesignal', 'webhooks', 'webpush'],
  ])
  assert.equal(labelsOf('webhook_endpoints', 'state'), ['enabled', 'failing', 'disabled'])
  assert.equal(labelsOf('hotel_setups_open', 'status'), ['running', 'undoing', 'parked'])
  assert.ok(labelsOf('bus_consumer_lag', 'durable').includes('notification_queue'))
  assert.is(labelsOf('bus_consumer_lag', 'durable').length, new Set(labelsOf('bus_consumer_lag', 'durable')).size)
  assert.match(text, /^bus_dead_letters \d/m)
  assert.ok(labelsOf('database_pool_used', 'schema').length >= 7)
  assert.match(text, /^edge_requests_total\{listener="member",status="404"\} [1-9]/m)
})

test.run()
