import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { administrator, passwordOf } from '../../../cli/stack/accounts.ts'
import { loadSecrets } from '../../../cli/stack/secrets.ts'
import { mainJob } from '../../../cli/tour/main-job.ts'
import { newWorld } from '../../../cli/tour/world.ts'
import type { Environment } from '../../../services/kernel/process/config.ts'
import { startPlatform } from '../../kit/platform/platform.ts'
import { startWriting } from '../load.ts'
import { judge, type Verdict } from '../verdict.ts'
import { startFront } from './front.ts'
import { startGalera } from './galera.ts'
import { startNatsNodes } from './nats-nodes.ts'

type Trial = { kills: number; writers?: number; say: (line: string) => void }

/**
 * The platform, a process per service, over three Galera nodes and three NATS servers with streams of three replicas.
 * Under load, kills the database node in use and a NATS server in turn (-9), restarts each, and judges the result.
 */
export async function runClusterTrial({ kills, writers = 4, say }: Trial): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'clusters-'))
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  try {
    const secrets = loadSecrets(folder)
    const galera = await startGalera({ folder, secrets })
    ends.push(galera.stop)
    say('three nodes of Galera are in step')
    const nats = await startNatsNodes(folder)
    ends.push(nats.stop)
    say('three servers of NATS are one cluster')
    const front = await startFront(galera.nodes)
    ends.push(front.close)
    const password = passwordOf(administrator, secrets)
    process.env['TEST_DATABASE_URL'] = `mysql://${administrator}:${password}@127.0.0.1:${front.port}`
    const env: Environment = {
      AMQP_GATEWAY_URL: nats.url,
      BUS_REPLICAS: '3',
      ACCESS_TOKEN_SECONDS: '86400',
      // Other processes log the loss of killed ones; those logs are noise here.
      LOG_LEVEL: process.env['LOG_LEVEL'] ?? 'silent',
    }
    const platform = await startPlatform('split', env)
    ends.push(platform.stop)
    const world = newWorld({ ...platform, report: () => undefined })
    for (const step of mainJob) await step.run(world)
    for (const socket of Object.values(world.sockets)) socket?.close()
    say('the main job is done over both clusters')

    const load = startWriting(world, writers)
    for (let round = 0; round < kills; round++) {
      await sleep(1_000)
      const node = galera.nodes[front.chosen()]
      await node?.kill()
      await sleep(3_000)
      await node?.start()
      say(`${node?.name} was killed and is back, ${load.attempts.length} comments tried`)
      const server = nats.nodes[round % nats.nodes.length]
      await server?.kill()
      await sleep(3_000)
      await server?.start()
      await nats.settled()
      say(`${server?.name} was killed and is back, ${load.attempts.length} comments tried`)
    }
    await sleep(1_000)
    await load.stop()
    return await judge(world, load.attempts)
  } finally {
    for (const end of ends.toReversed()) await end()
  }
}
