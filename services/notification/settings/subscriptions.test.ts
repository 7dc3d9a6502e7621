import { SubscriptionService } from '../../../gen/platform/notification/v1/subscriptions_pb.ts'
import { assert, refusal } from '../../../test/kit/kit.ts'
import { notificationSuite, type Someone } from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'

const { test, host, db, person, workspace } = await notificationSuite('notification subscriptions')

const as = (one: Someone) => host.as(SubscriptionService, one.userId)
const device = (workspaceId: string, deviceToken = `token-${newId()}`) => ({
  workspaceId,
  deviceToken,
  platform: 'fcm',
  deviceType: 'android',
  appVersion: '2.1',
  deviceModel: 'Pixel',
  osVersion: '16',
})

test('a device is registered with all its fields, listed, and registered again without a second entry', async () => {
  const ada = await person()
  const wished = device(await workspace(ada))
  const { subscription: s } = await as(ada).registerDevice(wished)
  assert.equal(
    [
      s?.memberId,
      s?.workspaceId,
      s?.deviceToken,
      s?.platform,
      s?.deviceType,
      s?.appVersion,
      s?.deviceModel,
      s?.osVersion,
      s?.isActive,
    ],
    [ada.id, wished.workspaceId, wished.deviceToken, 'fcm', 'android', '2.1', 'Pixel', '16', true],
  )
  const { workspaceId: _own, ...bare } = wished
  const { subscription: renewal } = await as(ada).registerDevice({ ...bare, appVersion: '2.2' })
  assert.equal([renewal?.id, renewal?.appVersion, renewal?.workspaceId], [s?.id, '2.2', wished.workspaceId])
  await as(ada).registerDevice(device(wished.workspaceId))
  assert.is((await as(ada).listDevices({})).data.length, 2)
})

test('a token registered by another member moves to them', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const sharedDevice = device(workspaceId)
  const { subscription: before } = await as(ada).registerDevice(sharedDevice)
  const { subscription: after } = await as(bob).registerDevice(sharedDevice)
  assert.is.not(after?.id, before?.id)
  assert.equal([(await as(ada).listDevices({})).data.length, (await as(bob).listDevices({})).data.length], [0, 1])
})

test('a device is unregistered only by its owner', async () => {
  const [ada, bob] = [await person(), await person()]
  const workspaceId = await workspace(ada, bob)
  const { deviceToken } = device(workspaceId)
  await as(ada).registerDevice(device(workspaceId, deviceToken))
  assert.is((await refusal(as(bob).unregisterDevice({ deviceToken }))).info.status, 404)
  assert.is((await as(ada).unregisterDevice({ deviceToken })).message, 'Device unregistered')
  const { info, rawMessage } = await refusal(as(ada).unregisterDevice({ deviceToken }))
  assert.equal([info.status, rawMessage], [404, 'Device not found'])
})

test('a member has at most 20 devices, of which a further one replaces the one used longest ago', async () => {
  const ada = await person()
  const workspaceId = await workspace(ada)
  const register = (token: string) => as(ada).registerDevice(device(workspaceId, token))
  const tokens = async () => (await as(ada).listDevices({})).data.map(each => each.deviceToken)
  await Promise.all(Array.from({ length: 25 }, () => register(`token-${newId()}`)))
  const before = await tokens()
  assert.is(before.length, 20)
  const [refusedToken = '', oldestToken = '', olderToken = ''] = [before[5], before.at(-1), before.at(-2)]
  await register(oldestToken)
  assert.is((await tokens()).length, 20)
  // A token that the provider refused goes first.
  await db.updateTable('subscriptions').set({ is_active: 0 }).where('device_token', '=', refusedToken).execute()
  const addedTokens = [`token-${newId()}`, `token-${newId()}`]
  await Promise.all(addedTokens.map(register))
  const after = await tokens()
  assert.is(after.length, 20)
  assert.equal(before.filter(token => !after.includes(token)).toSorted(), [olderToken, refusedToken].toSorted())
  assert.ok(addedTokens.every(token => after.includes(token)))
})

test.run()
