import { setTimeout as sleep } from 'node:timers/promises'
import type { RowDataPacket } from 'mysql2'
import { connectDatabase } from '../../../services/kernel/database/connection.ts'
import type { Node } from '../cluster/galera.ts'
import type { NatsCluster } from '../cluster/nats-nodes.ts'
import type { Network } from '../cluster/places.ts'
import { absentMs, cutMs, type Part } from './part.ts'

/** The NATS server that leads the stream of frames, or that of events, in turn. */
export function natsPart(nats: NatsCluster, events: string, network: Network): Part {
  let turn = 0
  const leader = async () => {
    const stream = turn++ % 2 === 0 ? `${events}_live` : events
    const name = await nats.leader(stream)
    const node = nats.nodes.find(each => each.name === name)
    if (!node) throw new Error(`no server leads ${stream}`)
    return node
  }
  return {
    name: 'nats',
    kind: 'broker',
    async kill() {
      const node = await leader()
      await node.kill()
      await sleep(absentMs)
      await node.start()
      await nats.settled()
    },
    async replace() {
      const node = await leader()
      await node.end()
      await node.start()
      await nats.settled()
    },
    async cut() {
      const { place } = await leader()
      network.cut(place)
      await sleep(cutMs)
      network.join(place)
      await nats.settled()
    },
  }
}

/** The database node to which the balancer leads all connections, and one of the others. */
export function databaseParts(nodes: readonly Node[], front: string, network: Network): Part[] {
  const part = (name: string, kind: Part['kind'], find: () => Promise<Node>): Part => ({
    name,
    kind,
    async kill() {
      const node = await find()
      await node.kill()
      await sleep(absentMs)
      await node.start()
    },
    async replace() {
      const node = await find()
      await node.end()
      await node.start()
    },
    async cut() {
      const node = await find()
      network.cut(node.place)
      await sleep(cutMs)
      network.join(node.place)
      while (!(await node.synced())) await sleep(200)
    },
  })
  const inUse = async (): Promise<string> => {
    const connection = await connectDatabase(front)
    const [[row]] = await connection.query<RowDataPacket[]>('select @@wsrep_node_name as name')
    await connection.end()
    return String(row?.['name'])
  }
  const find = (isWanted: (name: string, used: string) => boolean) => async () => {
    const used = await inUse()
    const node = nodes.find(({ name }) => isWanted(name, used))
    if (!node) throw new Error(`the database leads to ${used}`)
    return node
  }
  return [
    part(
      'database in use',
      'database in use',
      find((name, used) => name === used),
    ),
    part(
      'another database',
      'another database',
      find((name, used) => name !== used),
    ),
  ]
}
