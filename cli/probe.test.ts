import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startRpcServer } from '../services/kernel/server.ts'

const test = suite('probe')
const script = fileURLToPath(new URL('probe.ts', import.meta.url))

const probe = (target: string): Promise<number> =>
  new Promise(resolve => execFile(process.execPath, [script, target], error => resolve(error ? Number(error.code) : 0)))

test('an RPC port is well while its service can do its work', async () => {
  let well = true
  const healthy = () => Promise.resolve(well)
  const server = await startRpcServer({ rpcs: [], interceptors: [], host: '127.0.0.1', port: 0, healthy })
  const target = `http://127.0.0.1:${server.port}`
  try {
    assert.is(await probe(target), 0)
    well = false
    assert.is(await probe(target), 1)
  } finally {
    await server.close()
  }
  assert.is(await probe(target), 1, 'nobody answers')
})

test('a page is well when it answers with success', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/ready' ? 200 : 503).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    assert.equal([await probe(`${url}/ready`), await probe(`${url}/other`)], [0, 1])
  } finally {
    server.close()
  }
})

test('what is no address is not well', async () => {
  assert.is(await probe('nothing'), 1)
})

test.run()
