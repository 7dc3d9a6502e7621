import { type DescField, getOption, ScalarType } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RouteAnswer } from '../../cli/tour/client.ts'
import { Body, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { startPlatform } from '../kit/platform/platform.ts'
import { type HotelAccess, idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { isCode, isId, type ValueChoice, valueOf } from '../kit/requests/minimal-body.ts'
import { probe, short } from '../kit/requests/probing.ts'
import {
  as,
  type Endpoint,
  endpoints,
  forUsers,
  idFor,
  isOf,
  isPublic,
  type Planned,
  planRequest,
} from '../kit/requests/requests.ts'

/*
 * Requests as deployed apps send them, to every documented route: each gets the status of its tidy twin. Callers are
 * chosen so that nothing is executed: strangers to the tenant, or ids without a record.
 */
const test = suite('untidy clients')
const platform = await startPlatform('one', { SIGN_IN_LIMIT: '1000000', SIGN_IN_SUBJECT_LIMIT: '1000000' })
const { send, wrong, faults } = probe(platform.urls)
let hotels: TwoHotels
const nowhere: HotelAccess = { workspace: idFor('no workspace'), ecosystem: idFor('no ecosystem'), token: '' }

/** Routes that would end the callers' own account or sessions. */
const isOwnEnd = ({ route, pathFields }: Endpoint): boolean => route.verb === 'DELETE' && pathFields.length === 0
const all = (await endpoints()).filter(one => one.route.restOptions.request !== Body.MULTIPART && !isOwnEnd(one))

const isTenants = (one: Endpoint): boolean => isOf(one, Scope.WORKSPACE, Scope.ECOSYSTEM)
const knownIn = (one: Endpoint): ValueChoice => idsOf(isTenants(one) && forUsers(one) ? hotels.ownHotel : nowhere, one)
const tokenFor = (one: Endpoint): string | undefined => {
  if (isPublic(one)) return undefined
  if (!forUsers(one)) return hotels.root
  return isTenants(one) ? hotels.otherHotel.token : hotels.viewer
}

test.before(async () => {
  hotels = await twoHotels(platform)
})
test.after(() => platform.stop())

type Change = (plan: Planned, endpoint: Endpoint) => Planned | undefined

const rulesOf = (field: DescField): FieldRules => getOption(field, rulesOption)
const isEmail = (field: DescField): boolean => {
  const { type } = rulesOf(field)
  return type.case === 'string' && type.value.wellKnown.case === 'email'
}
const fieldsOf = ({ route, pathFields }: Endpoint, matches: (field: DescField) => boolean): DescField[] =>
  route.method.input.fields.filter(field => !pathFields.includes(field) && matches(field))
const choiceFor =
  (endpoint: Endpoint): ValueChoice =>
  field =>
    knownIn(endpoint)(field) ?? (isId(field) ? idFor(endpoint.title + field.name) : undefined)

/** The plan with other values for these fields, in its body or its query. */
function having(endpoint: Endpoint, fields: DescField[], value: (field: DescField) => unknown): Planned | undefined {
  if (fields.length === 0) return undefined
  const values = Object.fromEntries(fields.map(field => [field.jsonName, value(field)]))
  return planRequest(endpoint, knownIn(endpoint), values)
}

const withQuery = (path: string, query: string): string => `${path}${path.includes('?') ? '&' : '?'}${query}`
const beforeQuery = (path: string, change: (path: string) => string): string => {
  const [way = '', ...query] = path.split('?')
  return [change(way), ...query].join('?')
}

/** Statuses that refuse the form of a request: body, path or type. */
const isRefusal = ({ status }: RouteAnswer): boolean => [400, 404, 405, 413, 415].includes(status)

/** Answers of tidy requests, most of which are the twins of several changed ones. */
const answers = new Map<string, RouteAnswer>()

async function answerTo(endpoint: Endpoint, tidy: Planned): Promise<RouteAnswer> {
  const key = JSON.stringify([endpoint.title, tidy])
  const answer = answers.get(key) ?? (await send(endpoint, tidy.path, as(tokenFor(endpoint), tidy)))
  answers.set(key, answer)
  return answer
}

/** Routes that refuse the changed request but not the tidy one. */
async function worse(change: Change, tidy: Change = plan => plan, headers: Record<string, string> = {}) {
  let tried = 0
  const problems = await wrong(all, async endpoint => {
    const plain = planRequest(endpoint, knownIn(endpoint))
    const [sloppy, twin] = [change(plain, endpoint), tidy(plain, endpoint)]
    if (!sloppy || !twin) return undefined
    tried++
    const expected = await answerTo(endpoint, twin)
    const answer = await send(endpoint, sloppy.path, { ...as(tokenFor(endpoint), sloppy), headers })
    if (answer.status === expected.status || !isRefusal(answer)) return undefined
    return `${short(expected)} ≠ ${short(answer)} for ${sloppy.path} ${JSON.stringify(sloppy.body)}`
  })
  return { tried, problems }
}

/** Applies a change to every route that it concerns, and asserts that there are at least `least`. */
async function checkRoutes(least: number, ...args: Parameters<typeof worse>): Promise<void> {
  const { tried, problems } = await worse(...args)
  assert.ok(tried >= least, `${tried} routes were tried`)
  assert.equal(problems, [])
}

test('paths are accepted in any case, with a trailing slash, with cache-busters and campaign parameters', async () => {
  const capitals = (path: string) =>
    path.replace(/[a-z]+/g, word => (/^[0-9a-f]{24}$/.test(word) ? word : word.toUpperCase()))
  await checkRoutes(200, (plan, { route }) => {
    const literals = route.segments.every(segment => typeof segment === 'string')
    const path = beforeQuery(plan.path, way => `${literals ? capitals(way) : way.replace(/^\/[a-z]+/, capitals)}/`)
    return { ...plan, path: withQuery(path, '_=1767225600123&utm_source=mail&gclid') }
  })
})

test('unknown parameters are named in every answer', async () => {
  const problems = await wrong(all, async endpoint => {
    const { path, body } = planRequest(endpoint, knownIn(endpoint))
    const plan = { path: withQuery(path, 'nonsense=1&where[$gt]=&nonsense=2'), body }
    const { headers } = await send(endpoint, plan.path, as(tokenFor(endpoint), plan))
    const ignoredNames = headers.get('x-ignored-parameters')
    return ignoredNames === 'nonsense, where%5B%24gt%5D' ? undefined : String(ignoredNames)
  })
  assert.equal(problems, [])
})

test('ids are accepted in capitals, in paths, queries and bodies', async () => {
  const upper = (text: string) =>
    text.replace(/(?<![0-9A-Za-z_-])[0-9a-f]{24}(?![0-9A-Za-z_-])/g, id => id.toUpperCase())
  await checkRoutes(150, plan => {
    const body = plan.body === undefined ? undefined : (JSON.parse(upper(JSON.stringify(plan.body))) as unknown)
    const sloppy = { path: upper(plan.path), body }
    return JSON.stringify(sloppy) === JSON.stringify(plan) ? undefined : sloppy
  })
})

test('bodies without a documented form accept additional fields', async () => {
  const extraFields = { deviceId: 'd', rememberMe: true, confirmPassword: 'x', _csrf: null, extra: { a: [1] } }
  await checkRoutes(30, (plan, { route }) => {
    if (!route.hasBody || !route.isOpen) return undefined
    return { ...plan, body: { ...(plan.body as object), ...extraFields } }
  })
})

test('routes without a body accept none, an empty one, or any content', async () => {
  for (const body of [{}, { any: 'thing' }, null])
    await checkRoutes(40, (plan, { route }) =>
      route.verb !== 'GET' && route.takesNothing ? { ...plan, body } : undefined,
    )
})

test('e-mail addresses are accepted with surrounding blanks', async () => {
  await checkRoutes(12, (_plan, endpoint) =>
    having(endpoint, fieldsOf(endpoint, isEmail), field => `  ${valueOf(field, choiceFor(endpoint))}\t`),
  )
})

test('optional fields are accepted as empty texts or null', async () => {
  const mayBeAbsent = (field: DescField) =>
    field.fieldKind === 'scalar' &&
    field.presence === 1 &&
    !rulesOf(field).required &&
    field.scalar !== ScalarType.BYTES
  for (const nothing of ['', null]) {
    await checkRoutes(40, (_plan, endpoint) => {
      if (!endpoint.route.hasBody || endpoint.route.verb === 'PATCH') return undefined
      const scope = endpoint.access.scopeField
      return having(
        endpoint,
        fieldsOf(endpoint, field => mayBeAbsent(field) && field.name !== scope),
        () => nothing,
      )
    })
  }
  await checkRoutes(25, (_plan, endpoint) => {
    if (endpoint.route.hasBody) return undefined
    const scope = endpoint.access.scopeField
    return having(
      endpoint,
      fieldsOf(endpoint, field => mayBeAbsent(field) && field.name !== scope),
      () => '',
    )
  })
})

test('optional lists are accepted as null', async () => {
  const mayBeEmpty = (field: DescField) => {
    const { type } = rulesOf(field)
    return field.fieldKind === 'list' && !(type.case === 'repeated' && type.value.minItems > 0n)
  }
  await checkRoutes(10, (_plan, endpoint) =>
    endpoint.route.hasBody ? having(endpoint, fieldsOf(endpoint, mayBeEmpty), () => null) : undefined,
  )
})

test('times are accepted in every form of ISO 8601', async () => {
  const isTime = (field: DescField) => field.message?.typeName === 'google.protobuf.Timestamp'
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  const forms = [
    tomorrow.replace(/\.\d+Z$/, 'Z'),
    tomorrow.replace(/\.\d+Z$/, '+02:00'),
    tomorrow.replace(/\.\d+Z$/, '.123456Z'),
    tomorrow.replace(/:\d\d\.\d+Z$/, 'Z'),
    tomorrow.replace(/\.\d+Z$/, ''),
    tomorrow.slice(0, 16),
    tomorrow.slice(0, 10),
  ]
  for (const form of forms)
    await checkRoutes(
      8,
      (_plan, endpoint) => having(endpoint, fieldsOf(endpoint, isTime), () => form),
      (_plan, endpoint) => having(endpoint, fieldsOf(endpoint, isTime), () => tomorrow),
    )
})

test('the + of a zone is accepted as it stands in a query', async () => {
  const isTime = (field: DescField) => field.message?.typeName === 'google.protobuf.Timestamp'
  await checkRoutes(
    2,
    (_plan, endpoint) => {
      const plan = endpoint.route.hasBody
        ? undefined
        : having(endpoint, fieldsOf(endpoint, isTime), () => '2026-03-01T09:00:00+02:00')
      return plan && { ...plan, path: plan.path.replaceAll('%2B', '+') }
    },
    (_plan, endpoint) => having(endpoint, fieldsOf(endpoint, isTime), () => '2026-03-01T07:00:00Z'),
  )
})

test('booleans in a query are accepted as 1, 0 or in capitals, and listed values in any case', async () => {
  const isBool = (field: DescField) => field.fieldKind === 'scalar' && field.scalar === ScalarType.BOOL
  for (const text of ['1', '0', 'TRUE', 'False'])
    await checkRoutes(5, (_plan, endpoint) =>
      endpoint.route.hasBody ? undefined : having(endpoint, fieldsOf(endpoint, isBool), () => text),
    )
  const allowedValues = (field: DescField): string[] => {
    const { type } = rulesOf(field)
    return type.case === 'string' ? type.value.in : []
  }
  await checkRoutes(20, (_plan, endpoint) =>
    having(
      endpoint,
      fieldsOf(endpoint, field => allowedValues(field).length > 0),
      field => allowedValues(field)[0]?.toUpperCase(),
    ),
  )
})

test('languages, currencies, hours and colours are accepted in any of their usual forms', async () => {
  const forms = new Map([
    ['^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$', 'FR_fr'],
    ['^[A-Z]{3}$', 'usd'],
    ['^([01][0-9]|2[0-3]):[0-5][0-9]$', '9:00:00'],
    ['^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$', '1E40AF'],
  ])
  const formOf = (field: DescField): string | undefined => {
    const { type } = rulesOf(field)
    return type.case === 'string' ? forms.get(type.value.pattern) : undefined
  }
  await checkRoutes(3, (_plan, endpoint) =>
    having(
      endpoint,
      fieldsOf(endpoint, field => formOf(field) !== undefined),
      formOf,
    ),
  )
})

test('codes are accepted as numbers', async () => {
  await checkRoutes(
    3,
    (_plan, endpoint) => having(endpoint, fieldsOf(endpoint, isCode), () => 12_345),
    (_plan, endpoint) => having(endpoint, fieldsOf(endpoint, isCode), () => '012345'),
  )
})

test('JSON is accepted in UTF-8 under any of its names', async () => {
  for (const type of [
    'application/json;charset=utf8',
    'application/json; charset=UTF8',
    'application/json; charset="utf-8"',
  ])
    await checkRoutes(80, (plan, { route }) => (route.hasBody ? plan : undefined), undefined, { 'content-type': type })
})

test('no request is answered with a 5xx', () => {
  assert.equal(faults(), [])
})

test.run()
