import type { DescField } from '@bufbuild/protobuf'
import type { Call, RouteAnswer } from '../../../cli/tour/client.ts'
import { Body, Caller } from '../../../gen/platform/options/v1/options_pb.ts'
import type { TwoHotels } from '../platform/two-hotels.ts'
import { exampleWorld } from './example-world.ts'
import { messageOf, probe, short } from './probing.ts'
import { kindOf, makeRecord, type RecordKind, type Records, recordFor } from './records.ts'
import { as, type Endpoint, endpoints, type Planned, planRequest } from './requests.ts'

const tenants: ReadonlySet<RecordKind> = new Set(['workspace', 'ecosystem'])

/** The kinds of records that the minimal call of a route names. */
function kindsOf(endpoint: Endpoint): RecordKind[] {
  const kinds = new Set<RecordKind>()
  planRequest(endpoint, (field: DescField) => {
    const kind = kindOf(endpoint, field)
    if (kind) kinds.add(kind)
    return undefined
  })
  return [...kinds]
}

/** What both must get: the whole answer of a read, of other calls the status, and the message of a refusal. */
function outcomeOf({ route }: Endpoint, answer: RouteAnswer): string {
  if (answer.status >= 400) return `${answer.status} ${messageOf(answer)}`
  return route.verb === 'GET' ? `${answer.status} ${JSON.stringify(answer.body)}` : `${answer.status}`
}

/**
 * Calls each route that takes credentials with two of them that should be answered alike: reads with the same records,
 * other calls each with its own. Files and the deletion of the tenant are left out.
 */
export async function compareCredentials(
  hotels: TwoHotels,
  credentials: Pick<Call, 'headers'>[],
): Promise<{ problems: string[]; successes: number }> {
  const world = exampleWorld(hotels)
  const { send, faults } = probe(hotels.platform.urls)
  const plan = async (endpoint: Endpoint): Promise<Planned> => {
    const records: Partial<Records> = {}
    for (const kind of kindsOf(endpoint)) if (!records[kind]) Object.assign(records, await makeRecord(world, kind))
    const email = world.address()
    return planRequest(
      endpoint,
      field => recordFor(records, endpoint, field) ?? (field.name === 'email' ? email : undefined),
    )
  }
  const problems: string[] = []
  let successes = 0
  const routes = (await endpoints()).filter(
    one =>
      one.access.callers.includes(Caller.PERSON_OR_CREDENTIAL) &&
      one.route.restOptions.response !== Body.FILE &&
      !(one.route.verb === 'DELETE' && kindsOf(one).every(kind => tenants.has(kind))),
  )
  for (const endpoint of routes) {
    const answers: RouteAnswer[] = []
    let call = await plan(endpoint)
    for (const credential of credentials) {
      if (answers.length > 0 && endpoint.route.verb !== 'GET') call = await plan(endpoint)
      answers.push(await send(endpoint, call.path, { ...as(undefined, call), ...credential }))
    }
    if (answers.every(({ status }) => status < 300)) successes++
    if (new Set(answers.map(answer => outcomeOf(endpoint, answer))).size > 1)
      problems.push(`${endpoint.title}: ${answers.map(short).join(' | ')}`)
  }
  return { problems: [...problems, ...faults()], successes }
}
