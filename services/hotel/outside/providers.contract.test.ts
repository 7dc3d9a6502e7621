import { assert, refusal } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { contract } from '../../../test/kit/sandbox-contract.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Environment } from '../../kernel/process/config.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { hotelConfig } from '../config.ts'
import { weatherProvider } from '../weather/provider.ts'
import { type Application, chatProvider, region } from './chat.ts'

const sandbox = await sandboxForTest()
const calls = createProvider('contract', providerSettings({}, ''), { log: silentLog })
/** Uses a platform's default URLs unless the test gives others. */
const config = (env: Environment) =>
  hotelConfig({ DATABASE_URL: 'mysql://127.0.0.1/none', PASSWORD_ENCRYPTION_KEY: newId().repeat(3), ...env })

contract(
  'the weather provider',
  {
    sandbox: { WEATHER_BASE_URL: `${sandbox.url}/weather`, WEATHER_API_KEY: 'key-of-the-tests' } as Environment,
    needs: ['WEATHER_API_KEY'],
    takes: ['WEATHER_BASE_URL'],
    real: env => env,
  },
  (test, { isReal: _isReal, ...env }) => {
    const weather = weatherProvider(config(env), calls)

    test('the weather of a city is metric, in French and includes the next days', async () => {
      const { city, country, temperature, feelsLike, humidity, windSpeed, description, icon, forecast } =
        await weather('Lyon,FR')
      assert.equal([city, country], ['Lyon', 'FR'])
      // A value in kelvin would be in the hundreds.
      for (const degrees of [temperature, feelsLike]) assert.ok(degrees > -60 && degrees < 60, `${degrees}`)
      assert.ok(humidity >= 0 && humidity <= 100 && windSpeed >= 0)
      assert.ok(description.length > 0)
      assert.match(icon, /^\d\d[dn]$/)
      assert.ok(forecast.length >= 5 && forecast.length <= 6, `${forecast.length}`)
      for (const { date, tempMin, tempMax, description: words } of forecast) {
        assert.match(date, /^\d{4}-\d\d-\d\d$/)
        assert.ok(tempMin <= tempMax && tempMin > -60 && tempMax < 60 && words.length > 0, date)
      }
    })
    test('an unknown city is a 404', async () => {
      assert.is((await refusal(weather(`unknown ${newId()}`))).info.status, 404)
    })
    test('an invalid key is a 502 that does not reveal it', async () => {
      const other = weatherProvider(config({ ...env, WEATHER_API_KEY: 'invalid-key' }), calls)
      const { info, rawMessage } = await refusal(other('Lyon,FR'))
      assert.equal([info.status, rawMessage], [502, 'The weather provider failed'])
    })
  },
)

contract(
  'the chat provider',
  {
    sandbox: { CHAT_BASE_URL: `${sandbox.url}/chat`, CHAT_ORGANIZATION_TOKEN: 'token-of-the-tests' } as Environment,
    needs: ['CHAT_ORGANIZATION_TOKEN'],
    takes: ['CHAT_BASE_URL'],
    real: env => env,
  },
  (test, { isReal, ...env }) => {
    const chat = chatProvider(config(env), calls)
    const name = `Contract ${newId()}`
    let application: Application | undefined
    const nobody = 'FFFFFFFF-FFFF-4FFF-8FFF-FFFFFFFFFFFF'
    const one = () => ({ appId: application?.app_id ?? '', token: application?.api_token ?? '' })

    test.after(async () => {
      if (application) await chat.remove(application.app_id)
      if (!isReal) await sandbox.close()
    })

    test('an application is created once under its name, with its own token, and listed in the region', async () => {
      application = await chat.create(name)
      assert.is(application?.app_name, name)
      assert.ok(Math.abs(Date.parse(application?.created_at ?? '') - Date.now()) < 300_000, application?.created_at)
      assert.is(await chat.create(name.toUpperCase()), undefined)
      const all: Application[] = []
      for await (const each of chat.all()) all.push(each)
      const listedApplication = all.find(each => each.app_id === application?.app_id)
      assert.equal([listedApplication?.app_name, listedApplication?.api_token], [name, application?.api_token])
      assert.is(region, 'eu-1')
      assert.equal([(await chat.find(one().appId))?.app_name, await chat.find(nobody)], [name, undefined])
    })
    test('a new application counts nothing, at any time', async () => {
      const madeAt = new Date(Date.now() - 3 * 86_400_000)
      const none = { users_count: 0, channels_count: 0, messages_today: 0, active_users_today: 0 }
      assert.equal(await chat.statistics(one(), madeAt), none)
    })
    test('with an unknown token the application and the organisation return nothing', async () => {
      const statisticsError = await refusal(chat.statistics({ ...one(), token: 'invalid' }, new Date()))
      const other = chatProvider(config({ ...env, CHAT_ORGANIZATION_TOKEN: 'invalid' }), calls)
      const creationError = await refusal(other.create(`${name} of nobody`))
      for (const { info, rawMessage } of [statisticsError, creationError])
        assert.equal([info.status, rawMessage], [502, 'The chat provider failed'])
    })
    // The provider publishes no route for either; the sandbox's route stands in.
    const inSandbox = isReal ? test.skip : test
    inSandbox('an application is renamed and deactivated; a name in use is refused', async () => {
      const other = await chat.create(`${name} too`)
      assert.is(await chat.change(one().appId, { app_name: `${name} TOO` }), 'taken')
      assert.is(await chat.change(one().appId, { app_name: `${name} renamed`, is_active: false }), 'changed')
      assert.is(await chat.change(nobody, { is_active: true }), 'missing')
      await chat.remove(other?.app_id ?? '')
    })
    test('an application is deleted, and deleting it again succeeds', async () => {
      const { app_id = '' } = application ?? {}
      await chat.remove(app_id)
      application = undefined
      await chat.remove(app_id)
      for await (const each of chat.all()) assert.is.not(each.app_id, app_id)
    })
  },
)
