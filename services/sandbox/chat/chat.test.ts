import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'

const test = suite('sandbox chat, weather and storage')
const sandbox = await sandboxForTest()
test.after(() => sandbox.close())

const token = { SENDBIRDORGANIZATIONAPITOKEN: 'org-token' }
const chat = (method: string, path: string, body?: unknown, headers: Record<string, string> = token) =>
  sandbox.call(method, `/chat/api/v2${path}`, body, headers)
const create = async (app_name: string) => (await chat('POST', '/applications', { app_name, region_key: 'eu-1' })).json

test('an application is created in eu-1, renamed, deactivated, listed and deleted', async () => {
  const made = await create('Hôtel du Lac')
  assert.is(made.region.region_key, 'eu-1')
  assert.match(made.api_token, /^[0-9a-f]{40}$/)
  assert.is((await chat('PUT', `/applications/${made.app_id}`, { app_name: 'Lac' })).json.app_name, 'Lac')
  assert.is((await chat('PUT', `/applications/${made.app_id}`, { is_active: false })).json.is_active, false)
  const seen = (await chat('GET', `/applications/${made.app_id}`)).json
  assert.is(seen.app_name, 'Lac')
  assert.is(seen.is_active, false)
  await create('Second')
  assert.is((await create('LAC')).code, 400202)
  const list = (await chat('GET', '/applications?limit=1')).json
  assert.is(list.count, 2)
  assert.is(
    (await sandbox.call('GET', list.next.slice(sandbox.url.length), undefined, token)).json.results[0].app_name,
    'Second',
  )
  assert.is((await chat('DELETE', `/applications/${made.app_id}`)).status, 200)
  assert.is((await sandbox.call('GET', '/_state/chat')).json.data.length, 1)
})

test('unknown ids and invalid names, regions and tokens return the error object', async () => {
  const cases: [Promise<{ status: number; json: { error: boolean; code: number } }>, number, number][] = [
    [chat('GET', '/applications/none'), 400, 400201],
    [chat('DELETE', '/applications/__proto__'), 400, 400201],
    [chat('POST', '/applications', {}), 400, 400105],
    [chat('POST', '/applications', { app_name: 5, region_key: 'eu-1' }), 400, 400100],
    [chat('POST', '/applications', { app_name: 'x', region_key: 'constructor' }), 400, 400111],
    [chat('POST', '/applications', '{'), 400, 400111],
    [chat('GET', '/applications', undefined, {}), 401, 400401],
    [chat('GET', '/nothing'), 404, 400201],
  ]
  for (const [sent, status, code] of cases) {
    const got = await sent
    assert.is(got.status, status)
    assert.is(got.json.error, true)
    assert.is(got.json.code, code)
  }
})

test('statistics count the users, channels and messages of the application', async () => {
  // Waits past midnight, because metrics are counted by day.
  await eventually(() => Date.now() % 86_400_000 < 86_390_000)
  const { app_id, api_token } = await create('Stats')
  const app = (method: string, path: string, body?: unknown) =>
    sandbox.call(method, `/chat/apps/${app_id}/v3${path}`, body, { 'Api-Token': api_token })
  for (const user_id of ['u1', 'u2', 'u3'])
    assert.is((await app('POST', '/users', { user_id, nickname: user_id, profile_url: '' })).status, 200)
  const { channel_url } = (await app('POST', '/group_channels', { user_ids: ['u1', 'u2'] })).json
  await app('POST', `/group_channels/${channel_url}/messages`, {
    message_type: 'MESG',
    user_id: 'u1',
    message: 'Bonjour',
  })
  await app('POST', `/group_channels/${channel_url}/messages`, {
    message_type: 'MESG',
    user_id: 'u1',
    message: 'Encore',
  })
  assert.is((await app('DELETE', '/users/u3')).status, 200)
  assert.is((await app('DELETE', '/users/u3')).json.code, 400201)
  assert.is((await app('GET', '/applications/dau')).json.dau, 1)
  assert.is((await app('GET', '/applications/mau')).json.mau, 1)
  const days = 'start_year=2020&start_month=3&start_day=1&end_year=2999&end_month=12&end_day=31'
  const metric = async (name: string, range = `time_dimension=daily&${days}`) =>
    (await app('GET', `/statistics/metric?metric_type=${name}&${range}`)).json
  const expected = { messages: 2, message_senders: 1, created_users: 3, deleted_users: 1, created_channels: 1 }
  for (const [name, value] of Object.entries(expected)) {
    const { statistics, next } = await metric(name)
    const sum = statistics.reduce((total: number, each: { value: number }) => total + each.value, 0)
    assert.equal([sum, next], [value, ''], name)
    assert.match(statistics[0].date, /^\d{4}-\d\d-\d\d$/)
  }
  const months = 'time_dimension=monthly&start_year=2020&start_month=3&end_year=2999&end_month=12'
  assert.match((await metric('messages', months)).statistics[0].date, /^\d{4}-\d\d$/)
  assert.equal((await metric('messages', `time_dimension=daily&${days.replace('2999', '2020')}`)).statistics, [])
  assert.is((await metric('constructor')).code, 400111)
  assert.is((await metric('messages', days)).code, 400111)
  assert.is((await metric('messages', 'time_dimension=daily')).code, 400105)
  assert.is(
    (await sandbox.call('GET', `/chat/apps/${app_id}/v3/users`, undefined, { 'Api-Token': 'x' })).json.code,
    400401,
  )
})

test('the weather of a city is constant, metric and in French, with a five day forecast', async () => {
  const get = (path: string) => sandbox.call('GET', `/weather/data/2.5${path}&units=metric&lang=fr&appid=key`)
  const first = (await get('/weather?q=Montr%C3%A9al')).json
  assert.is(first.name, 'Montréal')
  assert.is(first.cod, 200)
  assert.ok(first.main.temp > -10 && first.main.temp < 45)
  assert.is((await get('/weather?q=montr%C3%A9al')).json.main.temp, first.main.temp)
  assert.ok(
    [
      'ciel dégagé',
      'peu nuageux',
      'partiellement nuageux',
      'couvert',
      'légère pluie',
      'pluie modérée',
      'orage',
      'brume',
    ].includes(first.weather[0].description),
  )
  const ahead = (await get('/forecast?q=Paris,FR')).json
  assert.is(ahead.cod, '200')
  assert.is(ahead.list.length, 40)
  assert.is(ahead.city.country, 'FR')
  assert.match(ahead.list[0].dt_txt, /^\d{4}-\d\d-\d\d \d\d:00:00$/)
})

test('an unknown city is 404, a missing one 400, a missing key 401, in the provider’s form', async () => {
  const cases = [
    ['q=Ville-inconnue&appid=k3y', 404],
    ['q=Nowhere&appid=k3y', 404],
    ['q=%00&appid=k3y', 404],
    ['appid=k3y', 400],
    ['q=Paris', 401],
    ['q=a&q=b&appid=k3y', 400],
  ] as const
  for (const [query, status] of cases) {
    const got = await sandbox.call('GET', `/weather/data/2.5/weather?${query}`)
    assert.is(got.status, status, query)
    assert.is(Number(got.json.cod), status)
  }
})

const s3 = {
  authorization: 'AWS4-HMAC-SHA256 Credential=key/20260101/eu/s3/aws4_request, SignedHeaders=host, Signature=00',
  'content-type': 'image/png',
}
test('objects are stored, read in part, listed page by page and deleted', async () => {
  const object = (method: string, path: string, body?: string, more: Record<string, string> = {}) =>
    sandbox.call(method, `/storage/media${path}`, body, { ...s3, ...more })
  assert.is((await object('PUT', '/qr/a.png', '0123456789')).status, 200)
  const chunked = 'a;chunk-signature=00\r\n0123456789\r\n0;chunk-signature=00\r\n\r\n'
  assert.is((await object('PUT', '/qr/b%20é.png', chunked, { 'content-encoding': 'aws-chunked' })).status, 200)
  const part = await object('GET', '/qr/b%20%C3%A9.png', undefined, { range: 'bytes=2-4' })
  assert.is(part.status, 206)
  assert.is(part.text, '234')
  assert.is((await object('HEAD', '/qr/a.png')).headers.get('content-length'), '10')
  const page = (await object('GET', '?list-type=2&prefix=qr/&max-keys=1')).text
  assert.match(page, '<Key>qr/a.png</Key>')
  const next = /<NextContinuationToken>(.*?)</.exec(page)?.[1]
  assert.match((await object('GET', `?list-type=2&prefix=qr/&continuation-token=${next}`)).text, 'qr/b é.png')
  assert.is((await object('DELETE', '/qr/a.png')).status, 204)
  assert.is((await object('GET', '/qr/a.png')).status, 404)
  assert.is((await sandbox.call('GET', '/storage/media/x')).status, 403)
  assert.is((await sandbox.call('HEAD', '/storage/missing-bucket', undefined, s3)).status, 404)
})

test('an object is uploaded in parts, which are checked as in S3, or aborted', async () => {
  const call = (method: string, query: string, body?: string) =>
    sandbox.call(method, `/storage/media/tour.mp4?${query}`, body, s3)
  const begin = async () => /<UploadId>(.*?)</.exec((await call('POST', 'uploads')).text)?.[1] ?? ''
  const part = async (id: string, number: number, body: string) =>
    (await call('PUT', `partNumber=${number}&uploadId=${id}`, body)).headers.get('etag') ?? ''
  const end = (id: string, ...parts: [number, string][]) => {
    const rows = parts.map(([number, etag]) => `<Part><ETag>${etag}</ETag><PartNumber>${number}</PartNumber></Part>`)
    return call('POST', `uploadId=${id}`, `<CompleteMultipartUpload>${rows.join('')}</CompleteMultipartUpload>`)
  }
  const id = await begin()
  const large = 'x'.repeat(5 * 1024 * 1024)
  const [first, second] = [await part(id, 1, large), await part(id, 2, 'end')]
  assert.match((await sandbox.call('GET', '/storage/media?uploads&prefix=tour', undefined, s3)).text, id)
  assert.match((await end(id, [2, second], [1, first])).text, 'InvalidPartOrder')
  assert.match((await end(id, [1, second], [2, second])).text, 'InvalidPart')
  assert.match((await end(id, [1, first], [3, second])).text, 'InvalidPart')
  assert.match((await end(id)).text, 'MalformedXML')
  assert.match((await end(id, [1, first], [2, second])).text, /<ETag>&quot;[0-9a-f]{32}-2&quot;/)
  const tail = await sandbox.call('GET', '/storage/media/tour.mp4', undefined, {
    ...s3,
    range: 'bytes=5242878-5242881',
  })
  assert.equal([tail.status, tail.text], [206, 'xxen'])
  const short = await begin()
  const parts: [number, string][] = [
    [1, await part(short, 1, 'small')],
    [2, await part(short, 2, 'small')],
  ]
  assert.match((await end(short, ...parts)).text, 'EntityTooSmall')
  assert.is((await call('DELETE', `uploadId=${short}`)).status, 204)
  assert.equal((await sandbox.call('GET', '/_state/storage')).json.uploads, [])
  assert.is((await call('PUT', `partNumber=1&uploadId=${short}`, 'x')).status, 404)
})

test('its errors have the form of S3', async () => {
  await sandbox.control({ provider: 'storage', mode: '500' })
  const answer = await sandbox.call('GET', '/storage/media/x', undefined, s3)
  assert.equal([answer.status, answer.headers.get('content-type')?.split(';')[0]], [500, 'application/xml'])
  assert.match(answer.text, '<Code>InternalError</Code>')
})

test.run()
