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

test.run()
