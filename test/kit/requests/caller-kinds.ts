import { type DescField, type DescMethod, fromJson, type JsonValue } from '@bufbuild/protobuf'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { call } from '../../../cli/tour/client.ts'
import { Caller } from '../../../gen/platform/options/v1/options_pb.ts'
import { accessOf, takesPeople } from '../../../services/kernel/access/access.ts'
import { isInternal } from '../../../services/kernel/rpc/door/body.ts'
import { loadFiles } from '../../contract/descriptors.ts'
import type { TwoHotels } from '../platform/two-hotels.ts'
import { isId, minimalJson } from './minimal-body.ts'
import { inParallel, messageOf, probe, short } from './probing.ts'
import { as, endpoints, idFor, planRequest } from './requests.ts'
import { type RpcSurface, rpcClient, rpcSurfaces } from './surfaces.ts'

/*
 * The kinds of callers that each RPC accepts, by its access option: every RPC and kind over the RPC ports, /rpc and
 * REST, in one process and in several.
 */
export const methods = (await loadFiles())
  .flatMap(file => file.services)
  .flatMap(service => service.methods)
  .filter(method => method.parent.typeName.startsWith('platform.'))
const isPublic = (method: DescMethod): boolean => accessOf(method).callers.includes(Caller.PUBLIC)
const forPeople = 'This route is for signed-in users only'

type Kind = { caller: Caller; name: string; headers: Record<string, string> }

/** The minimal valid request of a method; its ids belong to no record. */
const requestOf = (method: DescMethod) => {
  const choose = (field: DescField) => (isId(field) ? idFor(method.name + field.name) : undefined)
  return fromJson(method.input, minimalJson(method.input, choose) as JsonValue)
}

/**
 * The methods to call as a kind of caller. A person's permitted calls would end accounts, and other tests cover them.
 */
const methodsToCall = (surface: RpcSurface, caller: Caller): DescMethod[] =>
  methods.filter(
    method =>
      !isPublic(method) &&
      method.methodKind !== 'client_streaming' &&
      !(caller === Caller.PERSON && takesPeople(accessOf(method))) &&
      !(surface === '/rpc' && isInternal(method)),
  )

/** What is wrong with the answer to a kind of caller, by the access option. */
function fault(method: DescMethod, { caller }: Kind, { status, text }: { status: number; text: string }) {
  const access = accessOf(method)
  const isNamed = access.callers.includes(caller) || (caller === Caller.PERSON && takesPeople(access))
  const isCredential = caller === Caller.PERSON_OR_CREDENTIAL
  if (isCredential && isNamed && text === forPeople) return `named and refused: ${text}`
  // VerifyCredential checks the pair in its request, and answers 401 for it.
  if (isNamed && method.name !== 'VerifyCredential') return status === 401 ? 'named and unauthorized' : undefined
  if (isNamed) return undefined
  if (status !== 403) return `not named: ${status} ${text}`
  const owed = isCredential && takesPeople(access) ? forPeople : text
  return text === owed ? undefined : `not named: ${text}`
}

/** Adds the tests of the kinds of callers of each RPC, on every surface of a platform on which two hotels stand. */
export function addKindsOfCallers(test: Test, getHotels: () => TwoHotels): void {
  let kinds: Kind[]

  test('an administrator creates a credential with many permissions', async () => {
    const hotels = getHotels()
    const answer = await call(hotels.platform.urls, 'auth', 'POST', '/ecosystem/credentials', {
      token: hotels.ownHotel.token,
      body: {
        ecosystemId: hotels.ownHotel.ecosystem,
        permissions: ['manage_ecosystem', 'manage_members', 'create_content'],
      },
    })
    assert.is(answer.status, 201, short(answer))
    const pair = { 'x-api-key': String(answer.body?.['apiKey']), 'x-api-secret': String(answer.body?.['apiSecret']) }
    kinds = [
      { caller: Caller.PERSON, name: 'person', headers: { authorization: `Bearer ${hotels.ownHotel.token}` } },
      { caller: Caller.PERSON_OR_CREDENTIAL, name: 'credential', headers: pair },
      { caller: Caller.SERVICE, name: 'service', headers: { 'x-api-key': hotels.apiKey } },
    ]
  })

  for (const surface of rpcSurfaces)
    test(`${surface} accept each kind of caller named by the access option, and no other`, async () => {
      const ask = rpcClient(getHotels().platform, surface)
      const problems: string[] = []
      const queue = kinds.flatMap(kind => methodsToCall(surface, kind.caller).map(method => ({ kind, method })))
      await inParallel(queue, async ({ kind, method }) => {
        const problem = fault(method, kind, await ask(method, requestOf(method), kind.headers))
        if (problem) problems.push(`${kind.name} ${method.parent.typeName}/${method.name}: ${problem}`)
      })
      assert.equal(problems, [])
    })

  test('every route of a person refuses a credential with an explanation, and writes nothing', async () => {
    const { send, wrong, faults } = probe(getHotels().platform.urls)
    const [, credential] = kinds
    const routes = (await endpoints()).filter(
      ({ access }) => takesPeople(access) && !access.callers.includes(Caller.PERSON_OR_CREDENTIAL),
    )
    assert.ok(routes.length > 50, `${routes.length}`)
    const problems = await wrong(routes, async endpoint => {
      const plan = planRequest(endpoint, () => undefined)
      const answer = await send(endpoint, plan.path, { ...as(undefined, plan), headers: credential?.headers ?? {} })
      return answer.status === 403 && messageOf(answer) === forPeople ? undefined : short(answer)
    })
    assert.equal(problems, [])
    assert.equal(faults(), [])
  })
}
