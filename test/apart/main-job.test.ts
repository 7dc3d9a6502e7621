import { brokerNames, durablesOf } from '../../cli/stack/broker-permissions.ts'
import { mainJob } from '../../cli/tour/main-job.ts'
import { expect, newWorld, type World } from '../../cli/tour/world.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type SharedPlatform, sharedPlatform } from '../kit/platform/shared.ts'

/** The platform's main job over HTTP and WebSocket only, on every topology. */
for (const topology of ['one', 'split'] as const) {
  const test = suite(topology === 'one' ? 'the main job in one process' : 'the main job, a process per service')
  let platform: SharedPlatform
  let world: World

  test.before(async () => {
    platform = await sharedPlatform(topology)
    world = newWorld({ ...platform, report: () => undefined })
  })
  test.after(() => {
    world.sockets.news?.close()
    world.sockets.notification?.close()
  })
  for (const step of mainJob) test(step.title, () => step.run(world))
  if (topology === 'split')
    test('each process has its own account at the broker, which lacks no permission and is refused nothing', async () => {
      const bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'test' })
      const { consumers, dead } = await bus.backlog()
      const durables = Object.values(durablesOf(brokerNames({}))).flat()
      const names = durables.map(({ durable }) => durable).toSorted()
      assert.equal([consumers.map(({ durable }) => durable).toSorted(), dead], [names, 0])
      // An unreadable message is dead-lettered, redriven, and dead-lettered again.
      await bus.publish('platform.storage.media', '{}', { id: newId() })
      const token = world.tokens.root
      const awaitDeadLetter = (not?: string) =>
        eventually(async () => {
          const list = await expect(world, 200, 'notification', 'GET', '/api/v1/dead-letters', { token })
          const [{ id = '' } = {}, ...otherLetters]: { id?: string }[] = list['data'] ?? []
          return otherLetters.length === 0 && id !== not ? id : undefined
        })
      const first = await awaitDeadLetter()
      await expect(world, 200, 'notification', 'POST', `/api/v1/dead-letters/${first}/redrive`, { token })
      const second = await awaitDeadLetter(first)
      await expect(world, 200, 'notification', 'DELETE', `/api/v1/dead-letters/${second}`, { token })
      assert.is((await bus.backlog()).dead, 0)
      await bus.close()
      assert.not.match(platform.logged(), 'refuses this account')
    })
  test.run()
}
