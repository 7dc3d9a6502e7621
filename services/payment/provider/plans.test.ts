import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { assert, suite } from '../../../test/kit/kit.ts'
import { sandboxForTest } from '../../../test/kit/sandbox.ts'
import { silentLog } from '../../kernel/process/log.ts'
import { createProvider } from '../../kernel/provider/provider.ts'
import { providerSettings } from '../../kernel/provider/settings.ts'
import { plansOf } from './plans.ts'
import { connectProvider } from './provider.ts'

const test = suite('plans of the payment provider')
const sandbox = await sandboxForTest()
// Passes requests on to the sandbox with pages of one price instead of a hundred.
const shortPages = createServer((request, response) => {
  const headers = { authorization: String(request.headers.authorization) }
  fetch(sandbox.url + request.url?.replace('limit=100', 'limit=1'), { headers })
    .then(async answer => response.writeHead(answer.status).end(await answer.text()))
    .catch(() => response.destroy())
})
await new Promise<void>(resolve => shortPages.listen(0, '127.0.0.1', resolve))
test.after(async () => {
  shortPages.closeAllConnections()
  shortPages.close()
  await sandbox.close()
})

test('prices on all pages of the provider are plans', async () => {
  const baseUrl = `http://127.0.0.1:${(shortPages.address() as AddressInfo).port}`
  const calls = createProvider('payment', providerSettings({}, ''), { log: silentLog })
  const plans = await plansOf(connectProvider({ baseUrl, secretKey: 'sk_test_plans' }, calls)).list()
  assert.equal(
    plans.map(({ slug }) => slug),
    ['basic', 'premium'],
  )
})

test.run()
