import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2/promise'
import { WebSocket } from 'ws'
import { newId } from '../../services/kernel/base/ids.ts'
import { connectBus } from '../../services/kernel/bus/bus.ts'
import { connectDatabase } from '../../services/kernel/database/connection.ts'
import { quantile } from '../support/figures.ts'
import { seed, startPlatform, withServers } from '../support/world.ts'

/** Milliseconds from an event's publish to its frame at a client. */
type Latency = { event: string; label: string; p50: number; p99: number; missingCount: number }

const people = 20
const patienceMs = 10_000

type Frame = { event: string; data: { id: string; data?: { id?: string } } }

async function openSocket(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, { headers: { authorization: `Bearer ${token}` } })
  await once(socket, 'open')
  return socket
}

async function membersOf(url: string, workspaceId: string): Promise<string[]> {
  const db = await connectDatabase(url)
  const sql = 'select member_id from workspace_members where workspace_id = ? and left_at is null'
  const [rows] = await db.query<RowDataPacket[]>(sql, [workspaceId])
  await db.end()
  return rows.map(row => String(row['member_id']))
}

/**
 * Publishes pages at a fixed rate into the platform as under `npm start`, and measures when a member's sockets receive
 * them. Late sends count from their due time.
 */
export function measureLatency(perSecond: number, seconds: number): Promise<Latency[]> {
  return withServers(async () => {
    const platform = await startPlatform('one', { TENANT_GUARD: 'off' })
    const { workspaceId, hotelId, token } = await seed(platform, people, 0)
    const { env } = platform
    const receiverIds = await membersOf(env['MEMBER_DATABASE_URL'] ?? '', workspaceId)
    const [url, stream] = [env['AMQP_GATEWAY_URL'] ?? '', env['AMQP_EXCHANGE_NAME'] ?? '']
    const bus = await connectBus({ url, stream, name: 'bench' })
    const [news, inbox] = await Promise.all([
      openSocket(platform.urls.news, token),
      openSocket(platform.urls.notification, token),
    ])
    news.send(JSON.stringify({ event: 'joinWorkspace', data: workspaceId, id: 1 }))
    await once(news, 'message')

    const dueById = new Map<string, number>()
    const publish = async (dueAt: number): Promise<void> => {
      const id = newId()
      dueById.set(id, dueAt)
      const body = {
        type: 'page.created',
        workspaceId,
        ecosystemId: hotelId,
        workspaceName: 'Bench',
        payload: { id, title: 'Weekly news', pageType: 'article', parent: null, medias: [] },
        channels: ['socket'],
        metadata: {
          timestamp: new Date().toISOString(),
          actor: { id: newId(), name: 'Ada Chef', type: 'member' },
          receiverIds,
          occurrenceId: newId(),
        },
      }
      await bus.publish('platform.notification.page.created', JSON.stringify(body), { id: newId() })
    }
    const kinds = [
      { event: 'page.created', label: 'the frame of the event', socket: news },
      { event: 'notification:new', label: 'the notification, stored', socket: inbox },
    ]
    const waits = kinds.map(() => [] as number[])
    for (const [index, { event, socket }] of kinds.entries())
      socket.on('message', (bytes: Buffer) => {
        const frame = JSON.parse(bytes.toString()) as Frame
        if (frame.event !== event) return
        const dueAt = dueById.get(frame.data.data?.id ?? frame.data.id)
        if (dueAt !== undefined) waits[index]?.push(performance.now() - dueAt)
      })

    const run = async (count: number): Promise<void> => {
      for (const list of waits) list.length = 0
      const began = performance.now()
      const publishing: Promise<void>[] = []
      while (publishing.length < count) {
        const dueAt = began + (publishing.length * 1_000) / perSecond
        if (dueAt > performance.now()) await sleep(1)
        else publishing.push(publish(dueAt))
      }
      await Promise.all(publishing)
      const end = performance.now() + patienceMs
      while (performance.now() < end && waits.some(list => list.length < count)) await sleep(20)
    }
    await run(2 * perSecond)
    const count = perSecond * seconds
    await run(count)
    const result = kinds.map(({ event, label }, index) => {
      const list = waits[index] ?? []
      return { event, label, p50: quantile(list, 0.5), p99: quantile(list, 0.99), missingCount: count - list.length }
    })
    news.terminate()
    inbox.terminate()
    await bus.close()
    await platform.stop()
    return result
  })
}
