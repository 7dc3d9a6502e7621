import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startRpcServer } from '../services/kernel/rpc/server.ts'
import { until } from './fixtures/helpers.ts'
import { freePort } from './stack/ports.ts'

const test = suite('probe')
const script = fileURLToPath(new URL('probe.ts', import.meta.url))

const probe = (target: string): Promise<number> =>
  new Promise(resolve => execFile(process.execPath, [script, target], error => resolve(error ? Number(error.code) : 0)))

/** On a busy machine a probe may time out, and report a healthy process as failed. */
const answers = (target: string, code: number) =>
  until(`${target} ends with ${code}`, async () => (await probe(target)) === code)

test('an RPC port is healthy while its service can work', async () => {
  let well = true
  const healthy = () => Promise.resolve(well)
  // A port that no other process takes once it is free again.
  const port = await freePort()
  const server = await startRpcServer({ rpcs: [], interceptors: [], host: '127.0.0.1', port, healthy })
  const target = `http://127.0.0.1:${server.port}`
  try {
    await answers(target, 0)
    well = false
    assert.is(await probe(target), 1)
  } finally {
    await server.close()
  }
  assert.is(await probe(target), 1, 'nobody answers')
})

test('a page is healthy when it answers with success', async () => {
  const server = createServer((request, response) => response.writeHead(request.url === '/ready' ? 200 : 503).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    await answers(`${url}/ready`, 0)
    await answers(`${url}/other`, 1)
  } finally {
    server.close()
  }
})

test('an invalid address is unhealthy', async () => {
  assert.is(await probe('nothing'), 1)
})

test.run()
