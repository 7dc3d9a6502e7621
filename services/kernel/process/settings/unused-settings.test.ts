import { type AddressInfo, createServer } from 'node:net'
import { Writable } from 'node:stream'
import { createClient } from '@connectrpc/connect'
import { AccessService } from '../../../../gen/platform/access/v1/access_pb.ts'
import { assert, eventually, refusal, startTestHost, suite } from '../../../../test/kit/kit.ts'
import { service as member } from '../../../member/service.ts'
import { service as notification } from '../../../notification/service.ts'
import { remoteTransport } from '../../rpc/remote.ts'
import { createLog } from '../log.ts'

const test = suite('documented settings')

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

/** A log that records warnings. */
function listening() {
  const warnings: string[] = []
  const stream = new Writable({
    write(part: Buffer, _encoding, callback) {
      const line = JSON.parse(part.toString()) as { level: number; msg: string }
      if (line.level === 40) warnings.push(line.msg)
      callback()
    },
  })
  return { log: createLog('test', 'info', stream), warnings }
}

const foreignSettings = {
  MEDIA_API_URL: 'http://media.example',
  MEMBER_SERVICE_API_KEY: 'x',
  AMQP_ROUTING_KEY_BASE: 'page',
}

test('PORT is the port of a process with one service, and settings without effect are listed in one line', async () => {
  const { log, warnings } = listening()
  const PORT = await freePort()
  const queues = { NEWS_AMQP_QUEUE_NAME: 'news', AMQP_ROUTING_KEYS: 'page.*' }
  const settings = { ...foreignSettings, ...queues, PORT: `${PORT}`, MEMBER_RPC_PORT: undefined }
  const host = await startTestHost([member], settings, { log })
  const transport = remoteTransport(`http://127.0.0.1:${PORT}`)
  try {
    const call = createClient(AccessService, transport).getAccess({ userId: 'ab'.repeat(12) })
    assert.is((await refusal(call)).info.status, 401)
    assert.equal(
      warnings.filter(line => line.startsWith('settings without effect')),
      [
        'settings without effect on this process: MEDIA_API_URL, MEMBER_SERVICE_API_KEY, AMQP_ROUTING_KEY_BASE, NEWS_AMQP_QUEUE_NAME, AMQP_ROUTING_KEYS',
      ],
    )
  } finally {
    transport.close()
    await host.end()
  }
})

test('a prefixed port takes precedence over PORT, and a process without either reports no setting', async () => {
  const { log, warnings } = listening()
  const host = await startTestHost([member], { PORT: '1' }, { log })
  await host.end()
  assert.equal(
    warnings.filter(line => line.startsWith('settings without effect')),
    [],
  )
})

test('the queue of the notification service prefers the prefixed name', async () => {
  const { log, warnings } = listening()
  const queueNames = { AMQP_QUEUE_NAME: 'common', NOTIFICATION_AMQP_QUEUE_NAME: 'own_queue' }
  const keys = { AMQP_ROUTING_KEYS: 'other.*', NOTIFICATION_AMQP_ROUTING_KEYS: 'platform.notification.page.*' }
  const keyBase = { NOTIFICATION_AMQP_ROUTING_KEY_BASE: 'x' }
  const host = await startTestHost([member, notification], { ...queueNames, ...keys, ...keyBase }, { log })
  try {
    const names = async () => (await host.bus.backlog()).consumers.map(({ durable }) => durable)
    await eventually(async () => (await names()).includes('own_queue'))
    assert.not.ok((await names()).includes('common'))
    assert.equal(
      warnings.filter(line => line.startsWith('settings without effect')),
      ['settings without effect on this process: NOTIFICATION_AMQP_ROUTING_KEY_BASE'],
    )
  } finally {
    await host.end()
  }
})

test.run()
