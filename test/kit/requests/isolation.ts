import { type DescField, type DescMethod, getOption } from '@bufbuild/protobuf'
import type { RestService } from '../../../gen/catalogue.ts'
import {
  access as accessOption,
  Body,
  json as jsonOption,
  rest as restOption,
} from '../../../gen/platform/options/v1/options_pb.ts'
import { takesPeople } from '../../../services/kernel/access/access.ts'
import { isInternal } from '../../../services/kernel/rpc/door/body.ts'
import { loadFiles, rpcsOf, serviceOf } from '../../contract/descriptors.ts'
import type { TwoHotels } from '../platform/two-hotels.ts'
import { exampleWorld } from './example-world.ts'
import { minimalJson, type ValueChoice } from './minimal-body.ts'
import { inParallel } from './probing.ts'
import {
  howToName,
  kindOf,
  kinds,
  makeRecord,
  namingFields,
  type RecordKind,
  type Records,
  recordFor,
} from './records.ts'
import { type Endpoint, endpoints, idFor, plannedMessage, planRequest } from './requests.ts'
import { type RpcAnswer, rpcClient, rpcSurfaces } from './surfaces.ts'

/*
 * Every RPC that a person may call, with each field that names a record: the record of one hotel, named by the
 * administrator of another over REST, /rpc and the RPC port.
 */

/** A field of an RPC that names a record. */
type Case = {
  method: DescMethod
  /** The RPC's REST routes; an internal RPC has one without a path. */
  routes: [Endpoint, ...Endpoint[]]
  /** The field, after those that lead to it. */
  chain: DescField[]
  kind: RecordKind
}
const nameOf = ({ method, chain }: Pick<Case, 'method' | 'chain'>): string =>
  `${method.parent.name}.${method.name} ${chain.map(field => field.name).join('.')}`
const isInPath = ({ routes, chain }: Case): boolean =>
  routes.some(({ pathFields }) => pathFields.includes(chain[0] as never))

/** What a handler demands beside the fields that a request must have. */
const fieldsByCase: Record<string, Record<string, unknown>> = {
  'BulkService.BulkAssignPermissions member_ids': { permissions: ['view_members'] },
  'BulkService.BulkAssignPermissions members.member_id': { permissions: ['view_members'] },
  'BulkService.BulkUpdateRoles member_ids': { workspaceRole: 'viewer' },
  'BulkService.BulkUpdateRoles members.member_id': { workspaceRole: 'viewer' },
}

/** Cases in which a record of another hotel is answered like the caller's own, with the reason. */
const alike: Record<string, string> = {
  'AccountService.DeleteUserTokens user_id': 'people end their own sign-ins only',
  'AccountService.RevokeRefreshTokens user_id': 'people end their own sign-ins only',
  'DepartmentService.RemoveDepartmentMember member_id': 'has no effect for a member outside the department',
  'TeamService.RemoveTeamMember member_id': 'has no effect for a member outside the team',
  'ViewService.GetViews page_id': 'a page that the caller has not viewed is omitted like an unknown one',
  'HotelService.UpdateHotel group_id': 'only the platform moves hotels between groups',
}

/** Records that don't look like other ids, and what none of them looks like. */
const absent: Partial<Record<RecordKind, string>> = {
  address: 'nobody@phare.example',
  customer: 'cus_ofnobody',
  device: 'of-nobody',
}

/** An internal RPC in the form of a route, for the calls of its RPC port. */
const withoutRoute = (method: DescMethod): Endpoint => ({
  title: method.name,
  service: serviceOf(method.parent.file.proto.package) as RestService,
  route: {
    verb: '',
    segments: [],
    path: '',
    method,
    hasBody: true,
    takesNothing: false,
    isOpen: false,
    responseField: undefined,
    restOptions: getOption(method, restOption),
  },
  access: getOption(method, accessOption),
  pathFields: [],
})

/** All cases, and the fields of which nothing is known. */
export async function isolationCases(): Promise<{ cases: Case[]; unnamed: string[] }> {
  const allEndpoints = await endpoints()
  const cases: Case[] = []
  const unnamed: string[] = []
  for (const method of rpcsOf(await loadFiles())) {
    const access = getOption(method, accessOption)
    if (!takesPeople(access)) continue
    const [first = withoutRoute(method), ...otherRoutes] = allEndpoints.filter(({ route }) => route.method === method)
    const routes: Case['routes'] = [first, ...otherRoutes]
    for (const chain of namingFields(
      method.input,
      routes.flatMap(({ pathFields }) => pathFields),
    )) {
      const field = chain.at(-1) as DescField
      const kind = kindOf(first, field)
      if (kind) cases.push({ method, routes, chain, kind })
      else unnamed.push(`${first.title}: ${howToName(first, field)}`)
    }
  }
  return { cases, unnamed }
}

/** The call of a case with this value; its other fields name records of the caller's hotel. */
function callOf(one: Case, value: string, callerRecords: Partial<Records>) {
  const { chain, routes } = one
  const [endpoint] = routes
  const [first, ...inner] = chain as [DescField, ...DescField[]]
  const choose: ValueChoice = field => (field === chain.at(-1) ? value : recordFor(callerRecords, endpoint, field))
  /** The value of a field with its fields inside, down to the one that names the record. */
  const nest = (field: DescField, [child, ...descendants]: DescField[]): unknown => {
    const content = child
      ? {
          ...minimalJson(field.message as never, choose),
          ...(descendants.length === 0 ? fieldsByCase[nameOf(one)] : {}),
          [child.jsonName]: nest(child, descendants),
        }
      : value
    return field.fieldKind === 'list' ? [content] : content
  }
  const caseFields = inner.length === 0 ? fieldsByCase[nameOf(one)] : {}
  const extraFields = endpoint.pathFields.includes(first)
    ? { ...caseFields }
    : { ...caseFields, [first.jsonName]: nest(first, inner) }
  return { choose, extraFields }
}

type Ask = (token: string, value: string, callerRecords: Partial<Records>) => Promise<RpcAnswer>

/** Each surface on which the case can be called. */
function surfacesOf(one: Case, { platform }: TwoHotels, rpc: Clients): [name: string, ask: Ask][] {
  const { method, routes } = one
  const [endpoint] = routes
  const overRest = routes
    .filter(({ route }) => route.path !== '')
    .map((route): [string, Ask] => [
      `REST ${route.title}`,
      (token, value, callerRecords) => {
        const { choose, extraFields } = callOf(one, value, callerRecords)
        return askRest(platform.urls[route.service], route, token, planRequest(route, choose, extraFields))
      },
    ])
  const overRpc = rpcSurfaces
    .filter(surface => surface !== '/rpc' || (!isInternal(method) && method.methodKind !== 'client_streaming'))
    .map((surface): [string, Ask] => [
      `${surface} ${method.parent.typeName}/${method.name}`,
      (token, value, callerRecords) => {
        const { choose, extraFields } = callOf(one, value, callerRecords)
        return rpc[surface](method, plannedMessage(endpoint, choose, extraFields), { authorization: `Bearer ${token}` })
      },
    ])
  return [...overRest, ...overRpc]
}

async function askRest(
  url: string,
  { route }: Endpoint,
  token: string,
  { path, body }: ReturnType<typeof planRequest>,
) {
  const isForm = route.restOptions.request === Body.MULTIPART
  const response = await fetch(url + path, {
    method: route.verb,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isForm ? formOf(body as Record<string, object>) : JSON.stringify(body) }),
    signal: AbortSignal.timeout(30_000),
  })
  return { status: response.status, text: await response.text() }
}

/** The form of an upload, whose fields are those of its first message. */
function formOf(body: Record<string, object>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.values(body).flatMap(one => Object.entries(one))) form.set(name, String(value))
  form.set('file', new Blob(['minutes']), 'minutes.txt')
  return form
}

type Clients = Record<(typeof rpcSurfaces)[number], ReturnType<typeof rpcClient>>

/** What a refusal says, whatever the surface: its sentence, or those of its fields. */
function sentence({ status, text }: RpcAnswer): string {
  if (!text.startsWith('{')) return `${status} ${text}`
  const { message, error } = JSON.parse(text) as { message?: string; error?: { path: string; message: string }[] }
  return `${status} ${message ?? error?.map(one => `${one.path}: ${one.message}`).join('; ')}`
}

/** An answer without what differs between two records: their ids, and that of the request. */
const bare = ({ status, text }: RpcAnswer, value: string): string =>
  `${status} ${text.replaceAll(value, '…').replace(/"requestId":"[^"]*"/, '')}`

export type Isolation = {
  /** Calls in which another hotel's record differs from none, or that change something. */
  leaks: { inPath: string[]; inBody: string[] }
  /** Calls that the record's own hotel is refused, too: they prove nothing. */
  unproven: string[]
}

/**
 * Calls each case on every surface as the first hotel's administrator with a record of the second hotel.
 * @param ourRecords records of the first hotel
 */
export async function checkIsolation(hotels: TwoHotels, cases: Case[], ourRecords: Records): Promise<Isolation> {
  const result: Isolation = { leaks: { inPath: [], inBody: [] }, unproven: [] }
  const theirWorld = exampleWorld(hotels, hotels.otherHotel)
  const sharedRecords = new Map<RecordKind, Partial<Records>>()
  await Promise.all(kinds.map(async kind => sharedRecords.set(kind, await makeRecord(theirWorld, kind))))
  const theirRecords = Object.fromEntries(kinds.map(kind => [kind, sharedRecords.get(kind)?.[kind]])) as Records
  const clients = Object.fromEntries(rpcSurfaces.map(one => [one, rpcClient(hotels.platform, one)])) as Clients

  await inParallel(cases, async one => {
    const name = nameOf(one)
    const records = endsRecord(one) ? await makeRecord(theirWorld, one.kind) : sharedRecords.get(one.kind)
    const [record, absentRecord] = [records?.[one.kind] ?? theirRecords[one.kind], absent[one.kind] ?? idFor(name)]
    const mayAnswer = one.routes[0].route.verb === 'GET' || one.chain.some(isRows) || name in alike
    const leaks = isInPath(one) ? result.leaks.inPath : result.leaks.inBody
    const surfaces = surfacesOf(one, hotels, clients)
    const answers: RpcAnswer[] = []
    for (const [surface, ask] of surfaces) {
      const foreignAnswer = await ask(hotels.ownHotel.token, record, ourRecords)
      const isRefused = foreignAnswer.status >= 400 && foreignAnswer.status < 500
      answers.push(foreignAnswer)
      const [first = foreignAnswer] = answers
      if (first.status !== foreignAnswer.status)
        leaks.push(`${surface}, ${name} → ${foreignAnswer.status}, not ${first.status}`)
      // A refusal in the words of the first surface is compared there.
      if (isRefused && first !== foreignAnswer && sentence(foreignAnswer) === sentence(first)) continue
      const answerToAbsent = await ask(hotels.ownHotel.token, absentRecord, ourRecords)
      const isAlike = bare(foreignAnswer, record) === bare(answerToAbsent, absentRecord)
      if (!isAlike || !(isRefused || (mayAnswer && foreignAnswer.status < 300)))
        leaks.push(`${surface}, ${name} of another hotel → ${short(foreignAnswer)}; of none → ${short(answerToAbsent)}`)
    }
    if (one.kind === 'workspace' || one.kind === 'ecosystem' || name in alike) return
    const [refusal] = answers
    const ownAnswer = await surfaces[0]?.[1](hotels.otherHotel.token, record, { ...theirRecords, ...records })
    if (ownAnswer && refusal && (ownAnswer.status === 403 || bare(ownAnswer, record) === bare(refusal, record)))
      result.unproven.push(`${name}: its own hotel is refused, too, ${short(ownAnswer)}`)
  })
  for (const name of [...Object.keys(alike), ...Object.keys(fieldsByCase)])
    if (!cases.some(one => nameOf(one) === name)) result.unproven.push(`${name}: no request has this field`)
  return result
}

/** Whether the call of its own hotel may leave the record in a state that other calls don't expect. */
const endsRecord = (one: Case): boolean => isInPath(one) && !/^(GET|PATCH|PUT)$/.test(one.routes[0].route.verb)
const isRows = (field: DescField): boolean => getOption(field, jsonOption).rows
const short = ({ status, text }: RpcAnswer): string => `${status} ${text.slice(0, 160)}`
