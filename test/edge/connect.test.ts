import { createClient, type HandlerContext } from '@connectrpc/connect'
import { createConnectTransport, createGrpcWebTransport } from '@connectrpc/connect-web'
import { PageService } from '../../gen/platform/news/v1/pages_pb.ts'
import { requestIdKey } from '../../services/kernel/access/actor.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { startTestEdge } from '../kit/edge.ts'
import { assert, refusal, suite } from '../kit/kit.ts'
import { openWorld } from '../kit/member.ts'

const origin = 'https://app.hotel.example'
const test = suite('Connect and gRPC-Web clients of browsers')
/** Request ids as the page service logs them. */
const requestIds: string[] = []
const watched: ServiceModule = {
  name: news.name,
  async start(runtime) {
    const startedService = await news.start(runtime)
    const pages = startedService.rpcs.find(({ service }) => service === PageService)?.implementation ?? {}
    const read = pages['getPage'] as unknown as (input: unknown, context: HandlerContext) => unknown
    pages['getPage'] = ((input: unknown, context: HandlerContext) => {
      requestIds.push(context.values.get(requestIdKey))
      return read(input, context)
    }) as never
    return startedService
  },
}
const { host, urls, end } = await startTestEdge([member, watched], { CORS_ORIGINS: origin })
test.after(end)

const { admin, workspaceId } = await openWorld(host)
const headers = { authorization: `Bearer ${host.tokenOf(admin.userId)}` }

for (const [protocol, createTransport] of [
  ['Connect', createConnectTransport],
  ['gRPC-Web', createGrpcWebTransport],
] as const) {
  /** Behaves like a browser on that origin: sends a preflight, and refuses headers that it doesn't allow. */
  const asBrowser: typeof fetch = async (input, init) => {
    const requestHeaders = [...new Headers(init?.headers).keys()]
    const preflight = await fetch(input as string, {
      method: 'OPTIONS',
      headers: {
        origin,
        'access-control-request-method': 'POST',
        'access-control-request-headers': requestHeaders.join(),
      },
    })
    const allowedHeaders = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase().split(/,\s*/)
    for (const name of requestHeaders)
      if (!allowedHeaders.includes(name)) throw new TypeError(`the browser refuses to send ${name}`)
    const response = await fetch(input as string, {
      ...init,
      headers: [...new Headers(init?.headers), ['origin', origin]],
    })
    if (response.headers.get('access-control-allow-origin') !== origin) throw new TypeError('hidden from the page')
    const exposedHeaders = (response.headers.get('access-control-expose-headers') ?? '').toLowerCase().split(/,\s*/)
    const visibleHeaders = [...response.headers].filter(
      ([name]) => name === 'content-type' || exposedHeaders.includes(name),
    )
    return new Response(response.body, { status: response.status, headers: visibleHeaders })
  }
  const client = createClient(PageService, createTransport({ baseUrl: `${urls.news}/rpc`, fetch: asBrowser }))

  test(`${protocol}: a page is created and listed with its types`, async () => {
    const { page } = await client.createPage({ workspaceId, title: `Over ${protocol}`, content: {} }, { headers })
    const { data } = await client.listPages({ workspaceId, search: protocol }, { headers })
    assert.equal(
      data.map(one => one.id),
      [page?.id],
    )
  })

  test(`${protocol}: a refusal keeps its class`, async () => {
    const { info: nobody } = await refusal(client.listPages({ workspaceId }))
    assert.equal([nobody.status, nobody.class], [401, 'UnauthorizedError'])
    const { info: absent } = await refusal(client.getPage({ id: '0'.repeat(24) }, { headers }))
    assert.equal([absent.status, absent.class], [404, 'NotFoundError'])
  })
}

test('a method without a route is not available', async () => {
  const response = await fetch(`${urls.news}/rpc/platform.access.v1.AccessService/GetAccess`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  assert.is(response.status, 404)
})

test.run()
