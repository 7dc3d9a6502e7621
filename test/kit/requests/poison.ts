import { newId } from '../../../services/kernel/base/ids.ts'
import { connectBus } from '../../../services/kernel/bus/bus.ts'
import { eventually } from '../kit.ts'
import type { ExampleWorld } from './example-world.ts'

/** Publishes an event without a template, and returns the id of its dead letter. */
export async function poison({ bus: { url, stream }, ask, root, unique }: ExampleWorld): Promise<string> {
  // Types consist of letters.
  const type = `test.nowhere_${unique().replace(/\d/g, digit => 'abcdefghij'[Number(digit)] ?? '')}`
  const bus = await connectBus({ url, stream, name: 'test' })
  const timestamp = new Date().toISOString()
  const actor = { id: 'system', name: 'system', type: 'system' }
  const metadata = { timestamp, actor, receiverIds: [], occurrenceId: newId() }
  const body = { type, workspaceId: '', payload: { id: newId() }, channels: ['socket'], metadata }
  await bus.publish(`platform.notification.${type}`, JSON.stringify(body), { id: newId() })
  await bus.close()
  const letter = await eventually(async () => {
    const { data } = await ask('notification', 'GET', `/api/v1/dead-letters?type=${type}`, { token: root }, 200)
    return data?.[0]
  })
  return String(letter['id'])
}
