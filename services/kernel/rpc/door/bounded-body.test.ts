import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { PageService } from '../../../../gen/platform/news/v1/pages_pb.ts'
import { assert, suite } from '../../../../test/kit/kit.ts'
import { boundedMessages } from './bounded-body.ts'

const test = suite('reception of bodies')
const method = PageService.method.createPage

const envelope = (title: string): Buffer => {
  const data = toBinary(method.input, create(method.input, { title }))
  const head = Buffer.alloc(5)
  head.writeUInt32BE(data.length, 1)
  return Buffer.concat([head, data])
}

/** The titles in a gRPC body that arrives in chunks of the given size. */
async function titles(body: Buffer, chunkBytes: number): Promise<string[]> {
  async function* chunks() {
    for (let offset = 0; offset < body.length; offset += chunkBytes) yield body.subarray(offset, offset + chunkBytes)
  }
  const head = { method, type: 'application/grpc', compression: undefined, declaredBytes: 0 }
  const parts: Uint8Array[] = []
  for await (const part of boundedMessages(head, chunks(), false)) parts.push(part)
  return parts.filter((_, index) => index % 2 === 1).map(bytes => fromBinary(method.input, bytes).title)
}

test('messages are the same in any chunks', async () => {
  const messages = ['', 'a', 'x'.repeat(300), '', 'é']
  const body = Buffer.concat(messages.map(envelope))
  for (const chunkBytes of [1, 2, 3, 4, 5, 6, 7, 64, body.length])
    assert.equal(await titles(body, chunkBytes), messages)
})

test('a message that arrives byte by byte takes time linear in its bytes', async () => {
  const startedAt = performance.now()
  const [title = ''] = await titles(envelope('x'.repeat(100_000)), 1)
  assert.is(title.length, 100_000)
  // Joining them at each chunk takes more than ten times as long.
  const ms = performance.now() - startedAt
  assert.ok(ms < 3_000, `${Math.round(ms)} ms`)
})

test.run()
