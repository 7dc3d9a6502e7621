import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import express from 'express'
import { MediaService } from '../../gen/platform/media/v1/media_pb.ts'
import { localServices } from '../../services/kernel/rpc/in-process.ts'
import { assert, eventually, suite } from '../../test/kit/kit.ts'
import { restHandler } from './handler.ts'

const test = suite('downloads whose client leaves')

test('a download whose client left during the check of its credential asks the service for nothing, and ends', async () => {
  let reads = 0
  const services = localServices()
  const downloadMedia = async function* () {
    reads++
    yield* Array.from({ length: 100 }, () => ({ chunk: { data: Buffer.alloc(64 * 1024) } }))
  }
  services.add(MediaService, { downloadMedia }, [])
  const checking = Promise.withResolvers<void>()
  const checked = Promise.withResolvers<void>()
  const checkHeaders = () => {
    checking.resolve()
    return checked.promise
  }
  const handle = restHandler([MediaService], () => services.transport, { checkHeaders })
  let isEnded = false
  const listener = express()
    .use(async (request, response, next) => {
      response.once('close', checked.resolve)
      await handle(request, response, next)
      isEnded = true
    })
    .listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const socket = connect((listener.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET /media/files/${'a'.repeat(24)} HTTP/1.1\r\nHost: x\r\n\r\n`)
  await checking.promise
  socket.destroy()
  await eventually(() => isEnded)
  assert.is(reads, 0)
  listener.close()
})

test.run()
