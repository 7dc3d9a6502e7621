import { once } from 'node:events'
import { createServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { ConnectError, createClient } from '@connectrpc/connect'
import { Health } from '../../../../gen/grpc/health/v1/health_pb.ts'
import { assert, suite } from '../../../../test/kit/kit.ts'
import { remoteTransport } from '../remote.ts'
import { reportQuota } from './quota.ts'

const test = suite('rate-limit headers')

test('each limit is an item of the two fields, and one not revealed to the caller has only its policy', () => {
  const answer = new Headers()
  reportQuota(answer, { policy: 'newcomer', limit: 100, windowSeconds: 900, remaining: 99, resetSeconds: 12 })
  reportQuota(answer, { policy: 'register', limit: 20, windowSeconds: 900 })
  assert.is(answer.get('ratelimit-policy'), '"newcomer";q=100;w=900, "register";q=20;w=900')
  assert.is(answer.get('ratelimit'), '"newcomer";r=99;t=12')
})

test('a refusal of another process keeps its limit headers and no others', async () => {
  const limitHeaders = {
    'ratelimit-policy': '"sign-in";q=20;w=900',
    ratelimit: '"sign-in";r=0;t=7',
    'retry-after': '7',
  }
  const server = createServer().listen(0, '127.0.0.1')
  const head = { ':status': 200, 'content-type': 'application/grpc+proto', 'x-inner': 'yes' }
  server.on('stream', stream => stream.respond({ ...head, ...limitHeaders, 'grpc-status': '8' }, { endStream: true }))
  await once(server, 'listening')
  const transport = remoteTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const error = ConnectError.from(
    await createClient(Health, transport)
      .check({})
      .catch((thrown: unknown) => thrown),
  )
  assert.equal(Object.fromEntries(error.metadata), limitHeaders)
  transport.close()
  server.close()
})

test.run()
