import { createClient } from '@connectrpc/connect'
import { HotelService } from '../../../gen/platform/hotel/v1/hotels_pb.ts'
import { portsApart, rootClaims, withToken } from '../../../test/kit/hotel/apart.ts'
import { hotelForTest, noTrace, traces } from '../../../test/kit/hotel/hotel.ts'
import { faultyWire, type WireFault } from '../../../test/kit/hotel/proxy.ts'
import { assert, eventually, refusal, suite } from '../../../test/kit/kit.ts'
import type { Environment } from '../../kernel/process/config.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { startHost } from '../../kernel/rpc/host.ts'
import { service as hotel } from '../service.ts'

const test = suite('faults at every step of a hotel set-up')
const { entries, settings } = await portsApart()
// No process dies in this test: a long lease keeps a slow run from being taken over.
const world = await hotelForTest({ ...settings, HOTEL_SETUP_LEASE_SECONDS: '60' })
const { asRoot, rows, wish, rootId } = world
const wires = new Map<string, Awaited<ReturnType<typeof faultyWire>>>()
for (const [name, port] of entries) wires.set(name, await faultyWire(port))
/** A separate hotel service, whose connections to the other services can be disturbed. */
const apart = (overrides: Environment = {}) =>
  startHost(
    [hotel],
    {
      ...world.host.env,
      ...Object.fromEntries([...wires].map(([name, { url }]) => [`${name}_RPC_URL`, url])),
      HOTEL_RPC_PORT: '0',
      ...overrides,
    },
    silentLog,
    { accounts: 'strangers' },
  )
// The short timeout is only for services that don't answer; elsewhere a busy machine could exceed it.
const [patient, hasty] = [await apart(), await apart({ HOTEL_SETUP_ANSWER_MS: '3000' })]
const token = patient.tokens.issue({ ...rootClaims, userId: rootId }, 900)
const clientOf = (host: typeof patient) => createClient(HotelService, withToken(host.transport(HotelService), token))
const hotels = clientOf(patient)
test.after(async () => {
  await Promise.all([patient.stop(), hasty.stop()])
  for (const wire of wires.values()) wire.close()
  await world.end()
})

type Wish = ReturnType<typeof wish>

/** The run of a failed set-up once everything is undone, and its traces anywhere. */
async function undone(request: Wish) {
  const run = await eventually(async () => {
    const { data } = await asRoot.setups.listSetups({ status: 'undone', limit: 100 })
    return data.find(({ hotelName }) => hotelName === request.name)
  }, 30_000)
  assert.equal(await traces(world, run.hotelId, request.name, request.administrator.email), noTrace)
  return run.steps.filter(({ status }) => status !== 'pending').at(-1)?.name
}

const calls = [
  { step: 'qr-code', service: 'MEDIA', method: 'UploadMedia' },
  { step: 'workspace', service: 'MEMBER', method: 'CreateHotelWorkspace' },
  { step: 'payment', service: 'PAYMENT', method: 'CreateCustomer' },
  { step: 'payment', service: 'PAYMENT', method: 'AssignSubscription' },
  { step: 'administrator', service: 'MEMBER', method: 'AddHotelMember' },
]
const faults: { title: string; fault: WireFault }[] = [
  { title: 'refuses', fault: { mode: '4xx' } },
  { title: 'fails', fault: { mode: '5xx' } },
  { title: 'does not answer', fault: { mode: 'hang' } },
  { title: 'breaks off', fault: { mode: 'reset' } },
  { title: 'does it and fails', fault: { mode: '5xx', after: true } },
  { title: 'does it and does not answer', fault: { mode: 'hang', after: true } },
  { title: 'does it and breaks off', fault: { mode: 'reset', after: true } },
]

for (const { title, fault } of faults) {
  test(`a service that ${title} at any step ends the set-up, which leaves no trace`, async () => {
    for (const { service, method } of calls) wires.get(service)?.spoil(method, fault)
    const through = fault.mode === 'hang' ? clientOf(hasty) : hotels
    // Each fault hits one of these set-ups, in any order, each at another call. A set-up that times out elsewhere on a
    // busy machine leaves its fault to the next round.
    let remainingFaults = calls.length
    for (let round = 0; remainingFaults > 0 && round < 5; round++) {
      const requests = Array.from({ length: remainingFaults }, () => wish())
      const errors = await Promise.all(requests.map(each => refusal(through.createHotel(each))))
      // A refusal may concern the administrator's own data, which the caller learns unchanged.
      const statuses = errors.map(({ info }) => info.status).toSorted()
      assert.equal(statuses, fault.mode === '4xx' ? [400, 502, 502, 502, 502] : requests.map(() => 502))
      const reached = await Promise.all(requests.map(undone))
      remainingFaults = [...wires.values()].flatMap(wire => wire.left()).length
      if (round === 0 && remainingFaults === 0)
        assert.equal(reached.toSorted(), calls.map(({ step }) => step).toSorted())
    }
    assert.is(remainingFaults, 0, 'every fault was met')
  })
}

/** Failures of the hotel database at a step, caused by a trigger on the rows that the step writes. */
const troubles = [
  {
    title: 'refuses a write',
    signal: "signal sqlstate '45000' set message_text = 'spoilt'",
    answer: [500, 'InternalServerError'],
  },
  {
    title: 'waits too long for a lock',
    signal: "signal sqlstate 'HY000' set mysql_errno = 1205, message_text = 'lock'",
    answer: [503, 'ServiceUnavailableError'],
  },
]
for (const { title, signal, answer } of troubles) {
  test(`a database that ${title} at a step without other dependencies ends the set-up, which leaves no trace`, async () => {
    for (const step of ['validate', 'record', 'storage', 'event']) {
      const request = wish()
      await rows(
        'hotel',
        `create trigger spoilt before update on hotel_setup_steps for each row
         begin if new.name = '${step}' and new.status = 'done' then ${signal}; end if; end`,
      )
      const error = await refusal(hotels.createHotel(request))
      await rows('hotel', 'drop trigger spoilt')
      assert.equal([error.info.status, error.info.class], answer, step)
      assert.is(await undone(request), step)
    }
  })
}

test('a group deleted during the set-up is a 404, and nothing is left', async () => {
  for (const step of ['validate', 'record']) {
    const { group } = await asRoot.groups.createGroup({ name: 'Short-lived' })
    const groupId = group?.id ?? ''
    const request = wish({ groupId })
    await rows(
      'hotel',
      `create trigger spoilt before update on hotel_setup_steps for each row
       begin if new.name = '${step}' and new.status = 'started' then
         update hotel_groups set deleted_at = now(3) where id = '${groupId}'; end if; end`,
    )
    const error = await refusal(hotels.createHotel(request))
    await rows('hotel', 'drop trigger spoilt')
    assert.equal([error.info.status, error.rawMessage], [404, 'Group not found'], step)
    assert.is(await undone(request), step)
  }
})

test.run()
