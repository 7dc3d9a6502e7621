import { createClient, createRouterTransport } from '@connectrpc/connect'
import { WeatherService } from '../../../gen/platform/hotel/v1/weather_pb.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import { quickProviders, sandboxForTest } from '../../../test/kit/sandbox.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { byDay, weatherProvider } from './provider.ts'
import { weatherService } from './weather.ts'

const test = suite('weather')
const sandbox = await sandboxForTest()
test.after(() => sandbox.close())

let clock = Date.now()
const config = { WEATHER_BASE_URL: `${sandbox.url}/weather`, WEATHER_API_KEY: 'weather-key' }
const calls = createProvider('weather', providerSettings(quickProviders, ''), { log: silentLog })
const { implementation } = weatherService(weatherProvider(config, calls), 600, () => clock)
const client = createClient(
  WeatherService,
  createRouterTransport(router => router.service(WeatherService, implementation)),
)
const countRequests = async () => (await sandbox.call('GET', '/_requests?provider=weather')).json.data.length
const breakProvider = (mode = '500') => sandbox.control({ provider: 'weather', mode, times: 1000, retryAfter: 0 })
const restoreProvider = () => sandbox.control({ provider: 'weather', mode: 'ok' })
async function get(city: string) {
  const headers: Record<string, string> = {}
  const onHeader = (header: Headers) => header.forEach((value, name) => (headers[name] = value))
  return { answer: await client.getWeather({ city }, { onHeader }), headers }
}

test('forecast steps become days in the city’s time zone, with the description of noon', () => {
  const stepAt = (iso: string, min: number, max: number, description: string) => ({
    dt: Date.parse(iso) / 1000,
    main: { temp_min: min, temp_max: max },
    weather: [{ description, icon: '01d' }],
  })
  const steps = [
    stepAt('2026-03-01T21:00:00Z', 1, 2, 'nuit'),
    stepAt('2026-03-01T23:00:00Z', 3, 4, 'minuit'),
    stepAt('2026-03-02T11:00:00Z', 5, 9, 'midi'),
  ]
  assert.equal(byDay(steps, 3600), [
    { date: '2026-03-01', tempMax: 2, tempMin: 1, description: 'nuit' },
    { date: '2026-03-02', tempMax: 9, tempMin: 3, description: 'midi' },
  ])
})

test('an answer is cached for ten minutes, and simultaneous calls ask once', async () => {
  const before = await countRequests()
  await Promise.all(['Lyon', 'lyon ', 'LYON'].map(get))
  clock += 599_000
  await get('Lyon')
  assert.is((await countRequests()) - before, 2)
  clock += 2_000
  await get('Lyon')
  assert.is((await countRequests()) - before, 4)
})

test('while the provider is down the last good answer is returned with its age, and the provider is polled', async () => {
  const { answer } = await get('Nice')
  clock += 700_000
  await breakProvider()
  const before = await countRequests()
  const stale = await get('Nice')
  assert.equal(stale.answer, answer)
  assert.equal([stale.headers['age'], stale.headers['warning']], ['700', '110 - "Response is Stale"'])
  // Weather and forecast are requested concurrently, and the first failure decides the response.
  await eventually(async () => (await countRequests()) === before + 2)
  await get('Nice')
  assert.is(await countRequests(), before + 2)
  await restoreProvider()
  // After this many failures the provider is not called for a moment.
  await eventually(async () => {
    clock += 11_000
    return (await get('Nice')).headers['age'] === undefined
  })
})

test('an unknown city is a 404, and an unavailable provider a 502 without a cached answer', async () => {
  const unknown = await refusal(client.getWeather({ city: 'inconnu' }))
  assert.equal([unknown.info.status, unknown.rawMessage], [404, 'City not found'])
  for (const mode of ['500', 'garbage', 'reset', '429']) {
    await breakProvider(mode)
    assert.is((await refusal(client.getWeather({ city: 'Toulon' }))).info.status, 502, mode)
  }
  await restoreProvider()
  await eventually(async () => (await get('Toulon')).answer.city === 'Toulon')
})

test.run()
