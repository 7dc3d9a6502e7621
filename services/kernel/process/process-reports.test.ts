import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { createMetrics } from './metrics.ts'
import { type ProcessReport, processReportSubject, type RpcCounts, reportProcess } from './process-reports.ts'

const test = suite('process reports')

/** A bus that may be disconnected, with all published messages. */
function hearing() {
  const heard: ProcessReport[] = []
  const bus = {
    isAway: false,
    /** Reports that were not delivered. */
    lost: 0,
    publishCore(subject: string, data: string): boolean {
      assert.is(subject, processReportSubject)
      if (bus.isAway) bus.lost++
      else heard.push(JSON.parse(data) as ProcessReport)
      return !bus.isAway
    },
  }
  return { heard, bus }
}

const sum = (heard: ProcessReport[], rpc: string): RpcCounts =>
  heard
    .flatMap(({ rpcs }) => rpcs[rpc] ?? [])
    .reduce(
      (all, { calls, faults, buckets }) => ({
        calls: all.calls + calls,
        faults: all.faults + faults,
        buckets: buckets.map((count, at) => count + (all.buckets[at] ?? 0)),
      }),
      { calls: 0, faults: 0, buckets: [] as number[] },
    )

test('each call is reported once, in its bucket, with the party at fault; calls during an outage of the bus follow later', async () => {
  const metrics = createMetrics()
  const { heard, bus } = hearing()
  metrics.observe('a/B', 'ok', 0.5)
  const stop = reportProcess(bus, metrics.registry, ['news'], 5)
  await eventually(() => heard.length > 2)
  bus.isAway = true
  metrics.observe('a/B', 'ok', 300)
  metrics.observe('a/B', 'NotFoundError', 3)
  metrics.observe('a/B', 'DatabaseError', 60_000)
  metrics.observe('c/D', 'ok', 1)
  const [before, lost] = [heard.length, bus.lost]
  // The first one may have begun before the last call.
  await eventually(() => bus.lost > lost + 1)
  bus.isAway = false
  await eventually(() => sum(heard, 'c/D').calls === 1 && heard.length > before + 2)
  stop()
  const [first] = heard
  assert.equal(first?.bounds, [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10])
  assert.equal(sum(heard, 'a/B'), { calls: 4, faults: 1, buckets: [1, 1, 0, 0, 1, 0, 0, 1] })
  assert.equal(new Set(heard.map(({ id }) => id)).size, 1)
  assert.equal([first?.pid, first?.services, first?.node], [process.pid, ['news'], process.version])
  assert.equal(Object.keys(heard.at(-1)?.rpcs ?? {}), [], 'nobody called since')
})

test.run()
