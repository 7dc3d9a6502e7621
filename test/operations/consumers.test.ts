import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brokerNames, durablesOf } from '../../cli/stack/broker-permissions.ts'
import { service as auth } from '../../services/auth/service.ts'
import { service as hotel } from '../../services/hotel/service.ts'
import type { Bus } from '../../services/kernel/bus/bus.ts'
import type { ServiceModule } from '../../services/kernel/rpc/host.ts'
import { service as media } from '../../services/media/service.ts'
import { service as member } from '../../services/member/service.ts'
import { service as news } from '../../services/news/service.ts'
import { service as notification } from '../../services/notification/service.ts'
import { service as payment } from '../../services/payment/service.ts'
import { assert, startTestHost, suite } from '../kit/kit.ts'

const test = suite('consumers of the services')

/** A service whose readers of the bus are noted in `startedReaders`, and removed from `runningReaders` when they are stopped. */
function watched(module: ServiceModule, startedReaders: string[], runningReaders: Set<string>): ServiceModule {
  const note = (reader: string, stop: () => void) => {
    const entry = `${module.name}: ${reader}`
    startedReaders.push(entry)
    runningReaders.add(entry)
    return () => {
      runningReaders.delete(entry)
      stop()
    }
  }
  const over = (bus: Bus): Bus => ({
    ...bus,
    deliver: (options, ...rest) => note(`consumer ${options.durable}`, bus.deliver(options, ...rest)),
    tail: (subject, ...rest) => note(`tail of ${subject}`, bus.tail(subject, ...rest)),
    subscribeCore: (subject, handler) => note(`subscription ${subject}`, bus.subscribeCore(subject, handler)),
  })
  return { name: module.name, start: runtime => module.start({ ...runtime, bus: over(runtime.bus) }) }
}

test('every consumer of a service is allowed at the broker, and stops with its service', async () => {
  const startedReaders: string[] = []
  const runningReaders = new Set<string>()
  const modules = [auth, member, hotel, media, news, notification, payment]
  const folder = await mkdtemp(join(tmpdir(), 'consumers-'))
  const host = await startTestHost(
    modules.map(module => watched(module, startedReaders, runningReaders)),
    { PAYMENT_SECRET_KEY: 'sk_test_of_this_test', PAYMENT_WEBHOOK_SECRET: 'whsec_of_this_test', MEDIA_DIR: folder },
  )
  const allowedConsumers = Object.entries(durablesOf(brokerNames({}))).flatMap(([user, durables]) =>
    durables.map(({ durable }) => `${user}: consumer ${durable}`),
  )
  await host.end()
  await rm(folder, { recursive: true })
  assert.equal(
    startedReaders.filter(reader => reader.includes(': consumer ')).toSorted(),
    allowedConsumers.toSorted(),
    'A consumer that its service starts is a line of `durablesOf` in cli/stack/broker-permissions.ts, and the reverse.',
  )
  assert.equal([...runningReaders], [], 'These run on: stop them in `stop()` of the service.')
})

test.run()
