import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administrator, passwordOf } from '../../../cli/stack/accounts.ts'
import { loadSecrets } from '../../../cli/stack/secrets.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import type { TestBus } from '../../kit/bus.ts'
import { freePorts } from '../../kit/platform/ports.ts'
import { startGalera } from '../cluster/galera.ts'
import { startNatsNodes } from '../cluster/nats-nodes.ts'
import { createDatabaseServer } from '../database.ts'
import { type Front, startHaproxy } from '../fleet/haproxy.ts'

/** The servers below a platform. */
export type Ground = {
  env: Environment
  edges: number
  /** An account that may create databases. */
  administratorUrl: string
  /** Where the databases keep their files. */
  folder: string
  /** kill -9 of the server in use; each resolves when it is back. */
  kill: { database(): Promise<void>; broker(bus: TestBus): Promise<void> }
  stop(): Promise<void>
}

/** One database server, and one broker that the platform brings. */
export async function singleGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'day-'))
  const server = await createDatabaseServer(folder)
  return {
    ...server,
    edges: 1,
    folder,
    kill: {
      database: server.kill,
      async broker(bus) {
        await bus.kill()
        await bus.start()
      },
    },
    async stop() {
      await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Three Galera nodes behind HAProxy, three NATS servers with streams of three replicas, three edges. */
export async function clusteredGround(): Promise<Ground> {
  const folder = mkdtempSync(join(tmpdir(), 'day-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  const stop = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const secrets = loadSecrets(folder)
    const { nodes, ...galera } = await startGalera({ folder, secrets })
    ends.push(galera.stop)
    const nats = await startNatsNodes(folder)
    ends.push(nats.stop)
    // As clustercheck does: a page that tells the balancer whether a node takes work.
    const servers: Front['servers'] = []
    for (const node of nodes) {
      const page = createServer(async (_request, response) => {
        response.writeHead((await node.synced()) ? 200 : 503).end()
      }).listen(0, '127.0.0.1')
      await once(page, 'listening')
      ends.push(() => page.close())
      servers.push({ port: node.port, checkPort: (page.address() as AddressInfo).port })
    }
    const [port = 0] = await freePorts(1)
    const haproxy = await startHaproxy([{ name: 'database', kind: 'database', port, servers }])
    ends.push(haproxy.stop)
    await haproxy.up('database', 0)
    let turn = 0
    return {
      env: { AMQP_GATEWAY_URL: nats.url, BUS_REPLICAS: '3' },
      edges: 3,
      administratorUrl: `mysql://${administrator}:${passwordOf(administrator, secrets)}@127.0.0.1:${port}`,
      folder,
      kill: {
        async database() {
          const index = await haproxy.busiest('database')
          await nodes[index]?.kill()
          await nodes[index]?.start()
        },
        async broker() {
          const server = nats.nodes[turn++ % nats.nodes.length]
          await server?.kill()
          await server?.start()
          await nats.settled()
        },
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
