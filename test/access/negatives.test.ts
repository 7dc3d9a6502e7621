import { type DescField, getOption, ScalarType } from '@bufbuild/protobuf'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../../cli/tour/client.ts'
import { Body, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { callerFor, idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { addKindsOfCallers } from '../kit/requests/caller-kinds.ts'
import { exampleWorld } from '../kit/requests/example-world.ts'
import { checkIsolation, type Isolation, isolationCases } from '../kit/requests/isolation.ts'
import { isId, isRequired, takesNumber } from '../kit/requests/minimal-body.ts'
import { messageOf, pathsOf, probe, short } from '../kit/requests/probing.ts'
import { type Records, recordFor, recordsOf } from '../kit/requests/records.ts'
import {
  as,
  type Endpoint,
  endpoints,
  forUsers,
  idParameters,
  isOf,
  isPublic,
  planRequest,
  takesJson,
} from '../kit/requests/requests.ts'

/* What every route refuses, generated from the descriptors, so that new routes are covered automatically. */
const test = suite('refusals of every route')
const all = await endpoints()
const guardedEndpoints = all.filter(one => !isPublic(one))
const platform = await sharedPlatform()
let hotels: TwoHotels
let records: Records
let isolation: Isolation
const { send, wrong, faults, unbuilt } = probe(platform.urls)
const invalidToken = 'Bearer error="invalid_token", error_description="The access token is invalid"'
const ownIdsOf = (endpoint: Endpoint) => idsOf(hotels.ownHotel, endpoint)

test('two hotels have records of every kind', async () => {
  hotels = await twoHotels(platform)
  records = await recordsOf(exampleWorld(hotels))
})

test('a route that is not public answers 401 without a token and with any invalid token', async () => {
  const problems = await wrong(guardedEndpoints, async endpoint => {
    const plan = planRequest(endpoint, ownIdsOf(endpoint))
    for (const token of [undefined, 'garbage', `${'A'.repeat(16)}.${'B'.repeat(22)}.${'C'.repeat(80)}`, 'null']) {
      const answer = await send(endpoint, plan.path, as(token, plan))
      if (answer.status !== 401) return `${token ?? 'no token'} → ${short(answer)}`
      const challenge = token ? invalidToken : 'Bearer'
      if (answer.headers.get('www-authenticate') !== challenge) return answer.headers.get('www-authenticate') ?? 'none'
    }
    return undefined
  })
  assert.equal(problems, [])
})

test('a credential is checked before anything else of a request', async () => {
  const problems = await wrong(guardedEndpoints.filter(takesJson), async endpoint => {
    const answer = await send(endpoint, planRequest(endpoint, ownIdsOf(endpoint)).path, { body: { nonsense: true } })
    return answer.status === 401 ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('a malformed id is a 400 that names it', async () => {
  const routes = guardedEndpoints.filter(one => idParameters(one).length > 0)
  assert.ok(routes.length > 80)
  const problems = await wrong(routes, async endpoint => {
    for (const parameter of idParameters(endpoint)) {
      for (const bad of ['123', 'Z'.repeat(24), 'A'.repeat(25), `${'a'.repeat(24)}'--`, 'a'.repeat(2000)]) {
        const chooseValue = (field: DescField) => (field === parameter ? bad : ownIdsOf(endpoint)(field))
        const plan = planRequest(endpoint, chooseValue)
        const answer = await send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
        if (answer.status !== 400 || !pathsOf(answer).includes(parameter.jsonName))
          return `${bad.slice(0, 30)} → ${short(answer)}`
      }
    }
    return undefined
  })
  assert.equal(problems, [])
})

test('a foreign tenant, named in path, query or body, is a 403 with the documented sentence', async () => {
  const routes = guardedEndpoints.filter(one => forUsers(one) && isOf(one, Scope.WORKSPACE, Scope.ECOSYSTEM))
  assert.ok(routes.length > 50)
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, idsOf(hotels.otherHotel, endpoint))
    const answer = await send(endpoint, plan.path, as(hotels.ownHotel.token, plan))
    const sentence = isOf(endpoint, Scope.WORKSPACE) ? 'Workspace access denied' : 'Ecosystem access denied'
    return answer.status === 403 && messageOf(answer) === sentence ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('an unknown record is a 404 for a caller with every right', async () => {
  const routes = guardedEndpoints.filter(one => isOf(one, Scope.RECORD) && idParameters(one).length > 0)
  assert.ok(routes.length > 50)
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, field =>
      idParameters(endpoint).includes(field) ? undefined : ownIdsOf(endpoint)(field),
    )
    const answer = await send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
    return answer.status === 404 || answer.status === 501 ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('a record of another hotel is answered byte for byte like an unknown one', async () => {
  const { cases, unnamed } = await isolationCases()
  assert.ok(cases.length > 150, `${cases.length}`)
  isolation = await checkIsolation(hotels, cases, records)
  assert.equal([...unnamed, ...isolation.leaks.inPath], [])
})

test('a record of another hotel, named in a body beside the caller’s own, is refused and nothing is written', () => {
  assert.equal(isolation.leaks.inBody, [])
})

test('the same records are open to their own hotel', () => {
  assert.equal(isolation.unproven, [])
})

test('a permission that a viewer lacks is a 403 that names it', async () => {
  const routes = guardedEndpoints.filter(
    one =>
      one.access.permission !== '' &&
      one.access.permission !== 'view_members' &&
      isOf(one, Scope.WORKSPACE, Scope.ECOSYSTEM),
  )
  assert.ok(routes.length > 20)
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, ownIdsOf(endpoint))
    const answer = await send(endpoint, plan.path, as(hotels.viewer, plan))
    const challenge = `Bearer error="insufficient_scope", scope="${endpoint.access.permission}"`
    if (answer.headers.get('www-authenticate') !== challenge) return `not ${challenge}`
    return answer.status === 403 && messageOf(answer) === 'Permission denied' ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('a viewer is refused a record of their hotel that requires a permission', async () => {
  const routes = guardedEndpoints.filter(
    one => isOf(one, Scope.RECORD) && !['', 'view_members'].includes(one.access.permission) && forUsers(one),
  )
  assert.ok(routes.length > 25, `${routes.length}`)
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, field => recordFor(records, endpoint, field))
    const answer = await send(endpoint, plan.path, as(hotels.viewer, plan))
    return answer.status === 403 ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('calls for the platform or its services are a 403 for a hotel administrator', async () => {
  const routes = guardedEndpoints.filter(one => !forUsers(one))
  assert.ok(routes.length > 10)
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, ownIdsOf(endpoint))
    const answer = await send(endpoint, plan.path, as(hotels.ownHotel.token, plan))
    return answer.status === 403 ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('a service key opens only routes with services as callers, and is not accepted as a bearer token', async () => {
  const routes = guardedEndpoints.filter(({ access }) => !access.callers.includes(Caller.SERVICE))
  const problems = await wrong(routes, async endpoint => {
    const plan = planRequest(endpoint, ownIdsOf(endpoint))
    const withKey = await send(endpoint, plan.path, { ...as(undefined, plan), key: hotels.apiKey })
    if (withKey.status !== 403 && withKey.status !== 501) return `key → ${short(withKey)}`
    const bearer = await send(endpoint, plan.path, as(hotels.apiKey, plan))
    const wrongKey = await send(endpoint, plan.path, { ...as(undefined, plan), key: `${hotels.apiKey.slice(0, -1)}0x` })
    const lent = await send(endpoint, plan.path, { ...as('no token', plan), key: hotels.apiKey })
    const statuses = [bearer, wrongKey, lent].map(one => one.status)
    return statuses.every(status => status === 401) ? undefined : `bearer, wrong key, lent: ${statuses.join()}`
  })
  assert.equal(problems, [])
})

// Keys that only the platform may set (mass assignment), and keys with a special meaning in JavaScript.
const forbiddenKeys = [
  'isSuperAdmin',
  'isOwner',
  'createdAt',
  'deleted_at',
  'deletedAt',
  'createdById',
  'viewCount',
  'x y',
]

test('an unknown key in a documented body is a 400 that names it, the forbidden ones all at once', async () => {
  const strict = all.filter(one => takesJson(one) && !one.route.isOpen)
  assert.ok(strict.length > 60, `${strict.length}`)
  const problems = await wrong(strict, async endpoint => {
    const input = new Set(endpoint.route.method.input.fields.map(field => field.jsonName))
    const locked = endpoint.pathFields.map(field => field.jsonName)
    const keys = [...forbiddenKeys.filter(key => !input.has(key)), ...locked]
    const plan = planRequest(endpoint, ownIdsOf(endpoint), Object.fromEntries(keys.map(key => [key, 'a'.repeat(24)])))
    const answer = await send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
    const missing = keys.filter(key => !pathsOf(answer).includes(key))
    return answer.status === 400 && missing.length === 0 ? undefined : `${missing.join()} → ${short(answer)}`
  })
  assert.equal(problems, [])
})

test('a key that is special in JavaScript is a 400 that names it in every body', async () => {
  const problems = await wrong(all.filter(takesJson), async endpoint => {
    const { path } = planRequest(endpoint, ownIdsOf(endpoint))
    const token = callerFor(hotels, endpoint)
    const answer = await send(endpoint, path, {
      token,
      body: JSON.parse('{"__proto__":{"isAdmin":true},"constructor":1}'),
    })
    const paths = pathsOf(answer)
    return paths.includes('__proto__') && paths.includes('constructor') ? undefined : short(answer)
  })
  assert.equal(problems, [])
})

test('a parameter given twice is a 400 that names it', async () => {
  const problems = await wrong(
    all.filter(one => !one.route.hasBody),
    async endpoint => {
      const isPlain = (field: DescField) => !endpoint.pathFields.includes(field) && field.fieldKind === 'scalar'
      const field = endpoint.route.method.input.fields.find(isPlain)
      if (!field) return undefined
      const [path] = planRequest(endpoint, ownIdsOf(endpoint)).path.split('?')
      const twice = `${path}?${field.jsonName}=1&${field.jsonName}=2`
      const answer = await send(endpoint, twice, { token: callerFor(hotels, endpoint) })
      return answer.status === 400 && pathsOf(answer).includes(field.jsonName) ? undefined : short(answer)
    },
  )
  assert.equal(problems, [])
})

test('values of the wrong type are a 400 that names every one of them', async () => {
  const problems = await wrong(all.filter(takesJson), async endpoint => {
    const fields = endpoint.route.method.input.fields.filter(
      field => !endpoint.pathFields.includes(field) && field.message?.typeName !== 'google.protobuf.FieldMask',
    )
    if (fields.length === 0) return undefined
    const isText = (field: DescField) => field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING
    const isBool = (field: DescField) => field.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL
    for (const bad of [{ $gt: '' }, ['a'], 7, 'text', true]) {
      const body: Record<string, unknown> = {}
      for (const field of fields) {
        const isTime = field.message?.typeName === 'google.protobuf.Timestamp'
        const suits =
          (isText(field) && typeof bad === 'string') ||
          (isBool(field) && bad === true) ||
          (field.fieldKind === 'list' && Array.isArray(bad)) ||
          ((field.fieldKind === 'message' || field.fieldKind === 'map') &&
            !isTime &&
            bad instanceof Object &&
            !Array.isArray(bad)) ||
          (field.fieldKind === 'scalar' && !isText(field) && !isBool(field) && bad === 7) ||
          (takesNumber(field) && bad === 7)
        if (!suits) body[field.jsonName] = bad
      }
      const names = Object.keys(body)
      if (names.length === 0) continue
      const plan = { path: planRequest(endpoint, ownIdsOf(endpoint)).path, body }
      const answer = await send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
      const missing = names.filter(name => !pathsOf(answer).includes(name))
      if (answer.status !== 400 || missing.length > 0)
        return `${JSON.stringify(bad)} for ${missing.join()} → ${short(answer)}`
    }
    return undefined
  })
  assert.equal(problems, [])
})

const bodyFields = ({ route, pathFields }: Endpoint): DescField[] =>
  route.method.input.fields.filter(
    field => !pathFields.includes(field) && field.message?.typeName !== 'google.protobuf.FieldMask',
  )

/** A value just beyond the bounds of a field; undefined without bounds. */
function beyond(field: DescField): unknown {
  const { type } = getOption(field, rulesOption)
  if (field.fieldKind === 'list' && type.case === 'repeated')
    return Array.from({ length: Number(type.value.maxItems) + 1 }, () => (field.listKind === 'message' ? {} : 'a'))
  if (field.fieldKind !== 'scalar' || field.scalar !== ScalarType.STRING || type.case !== 'string') return undefined
  const { maxLen, maxBytes } = type.value
  return 'a'.repeat(isId(field) ? 25 : Number(maxLen || maxBytes || 5_000n) + 1)
}

test('a value out of bounds, a forbidden null and a missing value are 400s that name their fields', async () => {
  const routes = all.filter(takesJson)
  assert.ok(routes.length > 100, `${routes.length}`)
  const problems = await wrong(routes, async endpoint => {
    const token = callerFor(hotels, endpoint)
    const judge = async (kind: string, body: Record<string, unknown>, names: string[]) => {
      if (names.length === 0) return undefined
      const plan = { path: planRequest(endpoint, ownIdsOf(endpoint)).path, body }
      const answer = await send(endpoint, plan.path, as(token, plan))
      const missing = names.filter(name => !pathsOf(answer).some(path => path === name || path.startsWith(`${name}[`)))
      return answer.status === 400 && missing.length === 0 ? undefined : `${kind} ${missing.join()} → ${short(answer)}`
    }
    const fields = bodyFields(endpoint)
    const bounded = fields.filter(field => beyond(field) !== undefined)
    const texts = bounded.filter(field => field.fieldKind !== 'list')
    // A list that is too long is refused before its entries, or anything else, are validated. A public route takes 8 kB.
    const apart = [...bounded.filter(field => field.fieldKind === 'list'), ...(isPublic(endpoint) ? texts : [])]
    for (const fieldGroup of [...apart.map(field => [field]), ...(isPublic(endpoint) ? [] : [texts])]) {
      const body = Object.fromEntries(fieldGroup.map(field => [field.jsonName, beyond(field)]))
      const problem = await judge('overlong', body, Object.keys(body))
      if (problem) return problem
    }
    const requiredFields = fields.filter(isRequired)
    // A record that is null is a missing one.
    const plain = requiredFields.filter(field => field.fieldKind !== 'message').map(field => field.jsonName)
    return (
      (await judge('null', Object.fromEntries(plain.map(name => [name, null])), plain)) ??
      (await judge(
        'nothing',
        {},
        requiredFields.map(field => field.jsonName),
      ))
    )
  })
  assert.equal(problems, [])
})

test('a page and a limit are integers from 1, and at most 100 entries are returned', async () => {
  const lists = guardedEndpoints.filter(
    ({ route }) =>
      !route.hasBody && ['page', 'limit'].every(name => route.method.input.fields.some(field => field.name === name)),
  )
  assert.ok(lists.length > 15)
  const problems = await wrong(lists, async endpoint => {
    const token = callerFor(hotels, endpoint)
    for (const [name, value] of [
      ['page', '0'],
      ['page', 'two'],
      ['limit', '0'],
      ['limit', '-1'],
      ['limit', 'NaN'],
      ['limit', '1e9'],
      ['page', '99999999999'],
    ]) {
      const { path } = planRequest(endpoint, ownIdsOf(endpoint), { [name as string]: value })
      const answer = await send(endpoint, path, { token })
      if (answer.status !== 400 || !pathsOf(answer).includes(name as string))
        return `${name}=${value} → ${short(answer)}`
    }
    const { path } = planRequest(endpoint, ownIdsOf(endpoint), { limit: 1000 })
    const answer = await send(endpoint, path, { token })
    const limit = answer.body?.['meta']?.['limit']
    return answer.status !== 200 || limit === undefined || Number(limit) <= 100 ? undefined : `limit ${limit}`
  })
  assert.equal(problems, [])
})

test('texts in any script, and with SQL syntax, are stored as data in every text field', async () => {
  const hostile = `é😀' or 1=1 -- %_\\"\`)`
  const isText = (field: DescField): boolean =>
    field.fieldKind === 'scalar' && field.scalar === ScalarType.STRING && !isId(field)
  const routes = all.filter(({ route }) => route.verb !== 'DELETE' && route.restOptions.request !== Body.MULTIPART)
  await wrong(routes, async endpoint => {
    const token = callerFor(hotels, endpoint)
    for (const field of endpoint.route.method.input.fields.filter(isText)) {
      const isBound = endpoint.pathFields.includes(field)
      const chooseValue = (one: DescField) => (isBound && one === field ? hostile : ownIdsOf(endpoint)(one))
      const plan = planRequest(endpoint, chooseValue, isBound ? {} : { [field.jsonName]: hostile })
      await send(endpoint, plan.path, as(token, plan))
    }
    return undefined
  })
})

addKindsOfCallers(test, () => hotels)

test('the callers of these requests are unchanged', async () => {
  const loadWorkspace = ({ token, workspace }: { token: string; workspace: string }) =>
    call(platform.urls, 'member', 'GET', `/workspaces/get/${workspace}`, { token })
  const callers = [
    hotels.ownHotel,
    hotels.otherHotel,
    { ...hotels.ownHotel, token: hotels.root },
    { ...hotels.ownHotel, token: hotels.viewer },
  ]
  const answers = await Promise.all(callers.map(loadWorkspace))
  assert.equal(
    answers.map(({ status }) => status),
    [200, 200, 200, 200],
  )
})

test('no request is answered with a 5xx', () => {
  const pending = unbuilt()
  if (pending.length > 0) console.log(`\n  ${pending.length} routes answer 501:\n    ${pending.join('\n    ')}\n`)
  assert.equal(faults(), [])
})

test.run()
