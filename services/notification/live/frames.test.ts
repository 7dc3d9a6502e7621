import { testBus } from '../../../test/kit/bus.ts'
import { assert, eventually, suite } from '../../../test/kit/kit.ts'
import { connectBus } from '../../kernel/bus/bus.ts'
import { publishFrame, publishOrQueue } from './frames.ts'

const test = suite('frames without a broker')

test('they are published in order after the reconnect, before later ones', async () => {
  const broker = await testBus()
  const bus = await connectBus({ url: broker.url, stream: broker.stream, name: 'test' })
  const numbers: unknown[] = []
  bus.tail('live.frames', ({ body }) => void numbers.push(Object(body).data.n), { stream: bus.framesStream })
  // A subscription receives only what is published after it exists.
  await eventually(() => {
    publishFrame(bus, { rooms: ['a'], event: 'e', data: { n: 0 } })
    return numbers.length > 0
  })
  await broker.kill()
  await eventually(() => !bus.status().connected)
  for (const n of [1, 2, 3]) publishFrame(bus, { rooms: ['a'], event: 'e', data: { n } })
  await broker.start()
  await eventually(() => bus.status().connected)
  publishFrame(bus, { rooms: ['a'], event: 'e', data: { n: 4 } })
  await eventually(() => numbers.at(-1) === 4)
  assert.equal(
    numbers.filter(n => n !== 0),
    [1, 2, 3, 4],
  )
  await bus.close()
  await broker.close()
})

/** A broker whose connection the test switches on and off. */
function switched() {
  const texts: string[] = []
  const listeners: (() => void)[] = []
  let isUp = false
  return {
    texts,
    store: (_subject: string, text: string | Uint8Array) => isUp && texts.push(String(text)) > 0,
    onConnected: (listener: () => void) => {
      listeners.push(listener)
      return () => undefined
    },
    turn(on: boolean) {
      isUp = on
      if (on) for (const listener of listeners) listener()
    },
  }
}

test('beyond the limit the oldest are dropped, as are expired ones, and none is published twice', () => {
  const bus = switched()
  let now = 0
  const say = (text: string) => publishOrQueue(bus, 's', text, () => now)
  say('old')
  now = 200_000
  for (let n = 0; n < 1_005; n++) say(`${n}`)
  now = 400_000
  bus.turn(true)
  assert.equal([bus.texts.length, bus.texts[0], bus.texts.at(-1)], [1_000, '5', '1004'])
  say('new')
  bus.turn(false)
  say('x'.repeat(5 * 1_024 * 1_024))
  say('y'.repeat(5 * 1_024 * 1_024))
  now += 300_001
  say('z')
  bus.turn(true)
  bus.turn(true)
  assert.equal(bus.texts.slice(1_000), ['new', 'z'])
})

test.run()
