import { AuditService } from '../../../gen/platform/member/v1/audit_pb.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { openWorld } from '../../../test/kit/member.ts'
import { memberForTest } from '../../../test/kit/member-service.ts'
import { newId } from '../../kernel/base/ids.ts'

const test = suite('changes that other services have recorded')
const { host, asUser } = await memberForTest(test)

const actor = { id: newId(), name: 'Olga Operator', type: 'member' }
type Change = { ecosystemId?: string; id: string; action: string; before?: object; after?: object }

/** Publishes a change. */
async function record({ ecosystemId, ...payload }: Change, headers: Record<string, string> = {}): Promise<void> {
  const body = JSON.stringify({ type: 'audit.recorded', ecosystemId, payload, metadata: { actor } })
  const id = newId()
  await host.bus.publish('platform.audit.recorded', body, { id, headers })
}

test('a change of a hotel is in the log of its own workspace, and in a list by the hotel’s id or the request', async () => {
  const world = await openWorld(host)
  const root = host.as(AuditService, world.root)
  const requestId = `request-${newId()}`
  const change = {
    id: world.hotelId,
    action: 'hotel.suspended',
    before: { isActive: true },
    after: { isActive: false },
  }
  await record({ ...change, ecosystemId: world.hotelId }, { 'Request-Id': requestId })
  const byRequest = await eventually(async () => {
    const { data } = await root.listPlatformAuditEntries({ requestId })
    return data.length > 0 ? data : undefined
  })
  const [entry] = byRequest
  assert.equal(
    [byRequest.length, entry?.workspaceId, entry?.entity, entry?.entityId, entry?.actor?.name, entry?.requestId],
    [1, world.workspaceId, 'hotel', world.hotelId, actor.name, requestId],
  )
  assert.equal([entry?.before, entry?.after], [{ isActive: true }, { isActive: false }])
  const { workspaceId } = world
  const hotelLog = await asUser(world.admin).audit.listAuditEntries({ workspaceId, entity: 'hotel' })
  assert.equal(hotelLog.data, byRequest)
  assert.equal((await root.listPlatformAuditEntries({ entityId: world.hotelId, entity: 'hotel' })).data, byRequest)
  assert.equal((await root.listPlatformAuditEntries({ entity: 'hotel' })).data, [])
})

test('a change of an account is in the log of the platform', async () => {
  const world = await openWorld(host)
  const id = newId()
  await record({ id, action: 'account.unlocked' })
  const root = host.as(AuditService, world.root)
  await eventually(
    async () => (await root.listPlatformAuditEntries({ entity: 'account', entityId: id })).data.length === 1,
  )
})

test('a change that isn’t one is a dead letter', async () => {
  const { last } = await host.bus.bounds(host.bus.deadStream)
  await host.bus.publish('platform.audit.recorded', JSON.stringify({ payload: { id: 7 } }), { id: newId() })
  const letter = await eventually(() => host.bus.read(host.bus.deadStream, last + 1))
  assert.match(letter.headers['Dead-Reason'] ?? '', 'Not a change to record')
})

test.run()
