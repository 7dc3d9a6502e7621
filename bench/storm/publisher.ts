import { framesSubject } from '../../edge/live/frames.ts'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'

const text = 'x'.repeat(170)

/** Publishes numbered frames to the rooms of workspaces in turn. */
export async function startPublisher(env: NodeJS.ProcessEnv, workspaceIds: string[], perSecond: number) {
  const [url, stream] = [env['AMQP_GATEWAY_URL'] ?? '', env['AMQP_EXCHANGE_NAME'] ?? '']
  const bus = await connectBus({ url, stream, name: 'bench' })
  const numbers = workspaceIds.map(() => 0)
  let turn = 0
  const publish = (): void => {
    const workspace = turn++ % workspaceIds.length
    const n = (numbers[workspace] ?? 0) + 1
    numbers[workspace] = n
    const frame = { rooms: [`workspace:${workspaceIds[workspace]}`], event: 'storm', data: { n, text } }
    bus.store(framesSubject, JSON.stringify(frame), newId())
  }
  const timer = setInterval(publish, 1_000 / perSecond)
  return {
    /** The last number of each workspace. */
    numbers: () => [...numbers],
    async stop() {
      clearInterval(timer)
      await bus.close()
    },
  }
}
