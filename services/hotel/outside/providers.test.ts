import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DescService } from '@bufbuild/protobuf'
import { createClient } from '@connectrpc/connect'
import { ChatService } from '../../../gen/platform/hotel/v1/chat_pb.ts'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { WeatherService } from '../../../gen/platform/hotel/v1/weather_pb.ts'
import { CustomerService } from '../../../gen/platform/payment/v1/customers_pb.ts'
import { portsApart, rootClaims, withToken } from '../../../test/kit/hotel/apart.ts'
import { hotelForTest } from '../../../test/kit/hotel/hotel.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../../kernel/base/ids.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { type Host, startHost } from '../../kernel/rpc/host.ts'
import { service as payment } from '../../payment/service.ts'
import { hotelConfig } from '../config.ts'
import { service as hotelService } from '../service.ts'
import { chatProvider } from './chat.ts'

const test = suite('failing chat, weather and payment providers')
const { entries, settings } = await portsApart()
// A long timeout, so that a busy machine isn't mistaken for a silent provider; `hasty` has a short one.
const world = await hotelForTest({
  ...settings,
  PROVIDER_TIMEOUT_MS: '30000',
  PROVIDER_RETRY_DELAYS_MS: '5',
  PROVIDER_FAILURES: '6',
})
const { host, asRoot, rootId, sandbox, wish } = world
const hasty = await startHost(
  [payment, hotelService],
  {
    ...host.env,
    ...Object.fromEntries(entries.map(([name, port]) => [`${name}_RPC_URL`, `http://127.0.0.1:${port}`])),
    HOTEL_RPC_PORT: '0',
    PAYMENT_RPC_PORT: '0',
    PROVIDER_TIMEOUT_MS: '1000',
  },
  silentLog,
  { accounts: 'strangers' },
)
test.after(async () => {
  await hasty.stop()
  await world.end()
})

const hotel = await asRoot.hotels.createHotel(wish())
const hotelId = hotel.id
const token = host.tokens.issue({ ...rootClaims, userId: rootId }, 900)
const asRootAt = <S extends DescService>(target: Pick<Host, 'transport'>, service: S) =>
  createClient(service, withToken(target.transport(service), token))
type ProviderCall = { name: string; path: string; ask: () => Promise<object> }
const providersOf = (target: Pick<Host, 'transport' | 'client'>): ProviderCall[] => [
  { name: 'chat', path: '/dau', ask: () => asRootAt(target, ChatService).getChatStats({ hotelId }) },
  { name: 'weather', path: '/forecast', ask: () => asRootAt(target, WeatherService).getWeather({ city: newId() }) },
  {
    name: 'payment',
    path: '/v1/customers',
    ask: () =>
      target.client(CustomerService).createCustomer({ hotelId: newId(), email: `${newId()}@pay.example`, name: 'A' }),
  },
]

/** Result per failure: 200 when the second attempt may succeed, 502 when none does, and the number of calls. */
const rows = [
  { title: 'does not answer', play: { mode: 'delay', delayMs: 20_000, times: 2 }, status: 502, tries: 2 },
  { title: 'answers 500 once', play: { mode: '500' }, status: 200, tries: 2 },
  { title: 'answers 500 twice', play: { mode: '500', times: 2 }, status: 502, tries: 2 },
  { title: 'answers 429 and asks for a second', play: { mode: '429', retryAfter: 1 }, status: 200, tries: 2 },
  { title: 'answers 429 and asks for an hour', play: { mode: '429', retryAfter: 3600 }, status: 502, tries: 1 },
  { title: 'cuts the connection', play: { mode: 'reset', times: 4 }, status: 502, tries: 2 },
  { title: 'answers garbage once', play: { mode: 'garbage' }, status: 200, tries: 2 },
  { title: 'answers garbage twice', play: { mode: 'garbage', times: 2 }, status: 502, tries: 2 },
  { title: 'is slow', play: { mode: 'delay', delayMs: 200 }, status: 200, tries: 1 },
]

const countRequests = async (name: string, path: string): Promise<number> =>
  (await sandbox.call('GET', `/_requests?provider=${name}`)).json.data.filter((each: { path: string }) =>
    each.path.includes(path),
  ).length

for (const { title, play, status, tries } of rows) {
  test(`a provider that ${title} is a ${status} after ${tries} of two tries`, async () => {
    const isSilent = play.mode === 'delay' && status === 502
    await Promise.all(
      providersOf(isSilent ? hasty : host).map(async ({ name, path, ask }) => {
        await sandbox.control({ provider: name, path, ...play })
        const before = await countRequests(name, path)
        if (status === 200) await ask()
        else {
          const { info, rawMessage } = await refusal(ask())
          assert.equal([info.status, info.class], [502, 'ExternalServiceError'], name)
          assert.match(rawMessage, /^The (chat|weather|payment) provider failed$/)
        }
        // The payment SDK itself retries a broken connection once.
        const times = name === 'payment' && play.mode === 'reset' ? tries * 2 : tries
        // The first of several concurrent calls that fails decides the response; the others may still follow.
        if (isSilent) await eventually(async () => (await countRequests(name, path)) - before === times)
        assert.is((await countRequests(name, path)) - before, times, name)
        await sandbox.control({ provider: name, mode: 'ok' })
        if (isSilent) await eventually(() => ask())
        else await ask()
      }),
    )
  })
}

test('while a provider does not answer, and while calls to it are paused, all other calls are answered', async () => {
  await sandbox.control({ provider: 'chat', mode: 'delay', delayMs: 20_000, times: 1000, path: '/dau' })
  const before = await countRequests('chat', '/dau')
  const chat = asRootAt(hasty, ChatService)
  const waiting = Promise.all(Array.from({ length: 8 }, () => refusal(chat.getChatStats({ hotelId }))))
  await eventually(async () => (await countRequests('chat', '/dau')) > before)
  const hotels = asRootAt(hasty, HotelService)
  assert.is((await hotels.getHotel({ id: hotelId })).id, hotelId)
  assert.ok((await hotels.listHotels({})).data.length > 0)
  for (const { name, ask } of providersOf(hasty)) if (name !== 'chat') await eventually(() => ask())
  assert.ok((await waiting).every(({ info }) => info.status === 502))
  await sandbox.control({ provider: 'chat', mode: 'ok' })
  await eventually(async () => (await chat.getChatStats({ hotelId }).catch(() => undefined))?.usersCount === 0)
})

test('a chat application with an oversized id or token is a 502 when created and skipped in the list', async () => {
  const application = { app_id: 'A-1', app_name: 'Azur', api_token: 'secret', created_at: '2026-01-01' }
  const odd = [{ app_id: 'é-1' }, { app_id: 'x'.repeat(101) }, { app_id: '' }, { api_token: 'é' }, { api_token: '' }]
  const each = odd.map(fault => ({ ...application, ...fault }))
  const answers: object[] = [...each, { count: 6, results: [...each, application] }]
  const server = createServer((_request, response) => response.end(JSON.stringify(answers.shift())))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const chat = chatProvider(
    hotelConfig({
      DATABASE_URL: 'mysql://127.0.0.1/none',
      PASSWORD_ENCRYPTION_KEY: newId().repeat(3),
      CHAT_BASE_URL: `http://127.0.0.1:${port}`,
      CHAT_ORGANIZATION_TOKEN: 'token',
    }),
    createProvider('odd', providerSettings({}, ''), { log: silentLog }),
  )
  try {
    for (const fault of odd)
      assert.is((await refusal(chat.create('Azur'))).rawMessage, 'The chat provider failed', JSON.stringify(fault))
    const applications: object[] = []
    for await (const one of chat.all()) applications.push(one)
    assert.equal(applications, [application])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

test.run()
