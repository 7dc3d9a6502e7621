import { brokerNames, durablesOf, permissionsOfAll } from '../../cli/stack/broker-permissions.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { type Bus, connectBus } from '../../services/kernel/bus/bus.ts'
import { header } from '../../services/kernel/bus/message.ts'
import { runCommand } from '../kit/command.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('messages that nobody can read')

const garbage = ['', 'nonsense', 'null', '[]', '{}', '7', '{"counts":null}', '{"payload":7}', Uint8Array.of(0xff, 0x00)]
/** A subject that matches a pattern. */
const concrete = (pattern: string): string => pattern.replace(/(?<=^|\.)[*>](?=\.|$)/g, 'garbage')

let platform: OwnPlatform
let bus: Bus
let log = ''
test.before(async () => {
  platform = await startPlatform('one', {}, text => {
    log += text
  })
  bus = await connectBus({ url: platform.bus.url, stream: platform.bus.stream, name: 'test' })
})
test.after(async () => {
  await bus.close()
  await platform.stop()
})

const names = () => brokerNames(platform.env)

test('garbage on every subject that any process subscribes to is dropped, and everything still works', async () => {
  const subscribed = permissionsOfAll(names()).subscribe.filter(subject => !subject.startsWith('_INBOX'))
  assert.ok(subscribed.includes('internal.calls.member') && subscribed.includes('live.presence'))
  const tailed = ['live.frames', 'platform.notification.member.>', 'platform.auth.>']
  for (const subject of [...subscribed, ...tailed].map(concrete))
    for (const body of garbage) assert.ok(bus.publishCore(subject, body), subject)
  await eventually(() => log.includes('unreadable message dropped'))
  const { status, stderr } = await runCommand(['tour'], platform.env)
  assert.equal([status, stderr], [0, ''])
  assert.not.match(log, /message broker unavailable|disconnected/)
  const answer = await fetch(`${platform.urls.news}/ready`)
  assert.equal(await answer.json(), { ready: true, draining: false, checks: { bus: true, news: true } })
})

test('a stored message that is not JSON is dead-lettered by every durable consumer', async () => {
  // That of webhooks leaves it to the one that notifies.
  const consumers = Object.values(durablesOf(names()))
    .flat()
    .filter(({ durable }) => !durable.endsWith('_webhooks'))
  assert.ok(consumers.length >= 10)
  for (const { subject } of consumers) await bus.publish(concrete(subject), 'nonsense', { id: newId() })
  await eventually(async () => {
    const { first, last } = await bus.bounds(bus.deadStream)
    const dead = await Promise.all(
      Array.from({ length: last - first + 1 }, (_, at) => bus.read(bus.deadStream, first + at)),
    )
    const durables = new Set(dead.map(message => message?.headers[header.durable]))
    return consumers.every(({ durable }) => durables.has(durable))
  })
})

test.run()
