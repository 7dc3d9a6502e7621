import { createServer } from 'node:http2'
import { createClient } from '@connectrpc/connect'
import { AccessService } from '../../../gen/platform/access/v1/access_pb.ts'
import { assert, refusal, suite } from '../../../test/kit/kit.ts'
import { newId } from '../base/ids.ts'
import { remoteTransport } from '../rpc/remote.ts'
import { rightsFrom } from './rights.ts'

const test = suite('rights from the member service')

test('a member service that accepts calls and never answers is a 503 within the limit', async () => {
  const hanging = createServer().on('stream', stream => stream.on('error', () => undefined))
  await new Promise<void>(resolve => {
    hanging.listen(0, '127.0.0.1', resolve)
  })
  const address = hanging.address()
  const transport = remoteTransport(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
  const rights = rightsFrom(() => createClient(AccessService, transport), 200)
  for (const lookup of [rights.ofUser(newId()), rights.ofMember(newId()), rights.workspace(newId())]) {
    const { info, rawMessage } = await refusal(lookup)
    assert.equal([info.status, rawMessage], [503, 'The call took too long'])
  }
  transport.close()
  hanging.close()
})

test.run()
