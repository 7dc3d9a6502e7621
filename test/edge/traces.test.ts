import { InMemorySpanExporter, type ReadableSpan } from '@opentelemetry/sdk-trace'
import { recordTraces } from '../../services/kernel/process/tracing-export.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { openWorld } from '../kit/member.ts'

const test = suite('traces')
const { host, urls, end } = await startTestEdge([member, news, notification])
test.after(end)

const { admin, workspaceId } = await openWorld(host)
const token = host.tokenOf(admin.userId, { email: admin.email })
const title = 'canary-4d1f'

const publishPage = (headers: Record<string, string> = {}) =>
  fetch(`${urls.news}/api/v1/pages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ workspaceId, title, content: {}, status: 'published' }),
  })

test('one trace connects the request, the RPC and its statements, the event and the stored notification', async () => {
  const exporter = new InMemorySpanExporter()
  const recording = recordTraces(exporter)
  const traceId = '0af7651916cd43dd8448eb211c80319c'
  const response = await publishPage({ traceparent: `00-${traceId}-b7ad6b7169203331-01` })
  assert.is(response.status, 201)
  const spans = () => exporter.getFinishedSpans().filter(span => span.spanContext().traceId === traceId)
  const findSpans = (pattern: RegExp) => spans().filter(span => pattern.test(span.name))
  const parentOf = (span: ReadableSpan | undefined) =>
    spans().find(one => one.spanContext().spanId === span?.parentSpanContext?.spanId)
  /** Span names from a span up to the request. */
  const way = (span: ReadableSpan | undefined): string[] => (span ? [span.name, ...way(parentOf(span))] : [])

  const request = await eventually(() => findSpans(/^POST \/api\/v1\/pages$/)[0])
  assert.is(request.parentSpanContext?.spanId, 'b7ad6b7169203331')
  assert.is(request.attributes['http.response.status_code'], 201)
  const processed = await eventually(() => findSpans(/^process platform\.notification\.page\.created$/)[0])
  assert.equal(way(processed), [
    'process platform.notification.page.created',
    'platform.news.v1.PageService/CreatePage',
    'POST /api/v1/pages',
  ])
  // Events of one batch are stored within the first one's span.
  const isStored = (span: ReadableSpan) =>
    way(span).some(name => name.startsWith('process platform.notification.page.'))
  await eventually(() => findSpans(/^INSERT$/).some(isStored))
  // The publish may be confirmed after the event itself.
  await eventually(() => findSpans(/^publish platform\.notification\.page\.created$/).length > 0)
  const everything = JSON.stringify(spans().map(span => [span.name, span.attributes, span.events]))
  for (const secret of [title, token, admin.email]) assert.not.match(everything, secret)
  await recording.stop()
})

test('the configured share of new traces is kept, and every sampled trace of a client', async () => {
  const exporter = new InMemorySpanExporter()
  const recording = recordTraces(exporter, 0.5)
  // Sampling depends only on the trace id, so that all processes keep the same traces.
  for (let n = 0; n < 40; n++) await fetch(`${urls.news}/health`)
  const requests = exporter.getFinishedSpans().filter(span => span.name === 'GET')
  const sampledCount = new Set(requests.map(span => span.spanContext().traceId)).size
  assert.ok(sampledCount > 2 && sampledCount < 38, `${sampledCount} of 40`)
  await recording.stop()

  const none = new InMemorySpanExporter()
  const silent = recordTraces(none, 0)
  const traceId = '1af7651916cd43dd8448eb211c80319d'
  await fetch(`${urls.news}/health`)
  // The sampled request comes last, so that an earlier one would have been recorded by then.
  for (const flags of ['00', '01'])
    await fetch(`${urls.news}/health`, {
      headers: { traceparent: `00-${traceId}-b7ad6b716920333${flags.at(1)}-${flags}` },
    })
  const parents = () =>
    none
      .getFinishedSpans()
      .filter(span => span.name === 'GET')
      .map(span => span.parentSpanContext?.spanId)
  await eventually(() => parents().length > 0)
  assert.equal(parents(), ['b7ad6b7169203331'])
  await silent.stop()
})

test('without a collector nothing is traced', async () => {
  const exporter = new InMemorySpanExporter()
  await recordTraces(exporter).stop()
  assert.is((await publishPage()).status, 201)
  assert.equal(exporter.getFinishedSpans(), [])
})

test.run()
