import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { assert, suite } from '../../../test/kit/kit.ts'
import { startReceiver } from '../../../test/kit/notification/receiver.ts'
import { ClosedAddressError, checkUrl, isOpenAddress, pinnedLookup, resolveHost } from './address.ts'

const test = suite('addresses of webhooks')
const strict = { allowsHttp: false, allowsLoopback: false }
const local = { allowsHttp: true, allowsLoopback: true }

const closedAddresses = [
  ...[
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '127.255.0.9',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
  ],
  ...['192.0.0.8', '192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.51.100.7', '203.0.113.1', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '::', '::1', '::ffff:10.0.0.1', '::ffff:7f00:1', '::7f00:1', '64:ff9b::a00:1'],
  ...['64:ff9b:1::1', '100::1', '2001::1', '2001:db8::1', '2002:7f00:1::', '3fff::1', '5f00::1', 'fc00::1', 'fd12::1'],
  ...['fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '', 'localhost', '1.1.1', '0x7f.1'],
]
const open = ['1.1.1.1', '8.8.8.8', '100.63.255.255', '172.32.0.1', '193.0.0.1', '2606:4700:4700::1111', '2a00:1450::1']

test('only public addresses are open, in every notation', () => {
  assert.equal(
    closedAddresses.filter(address => isOpenAddress(address, strict)),
    [],
  )
  assert.equal(
    open.filter(address => !isOpenAddress(address, strict)),
    [],
  )
})

test('a setting opens loopback and nothing else', () => {
  const openAddresses = closedAddresses.filter(address => isOpenAddress(address, local))
  assert.equal(openAddresses, ['127.0.0.1', '127.255.0.9', '::1', '::ffff:7f00:1'])
})

const invalidUrls: [url: string, message: string][] = [
  ['http://hotel.example/', 'must be an address https://…'],
  ['ftp://hotel.example/', 'must be an address https://…'],
  ['https://', 'must be an address https://…'],
  ['https://user@hotel.example/', 'must not contain credentials'],
  ['https://:secret@hotel.example/', 'must not contain credentials'],
  ['https://hotel.example:80/', 'must use port 443 or one from 1024'],
  ['https://hotel.example:22/', 'must use port 443 or one from 1024'],
  ...[
    ...['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '10.0.0.1', '169.254.169.254', '[::1]'],
    ...['[::ffff:10.0.0.1]', '[64:ff9b::a00:1]', '[fd00::1]', '１２７.０.０.１'],
  ].map((host): [string, string] => [`https://${host}/`, 'must be a public address']),
]

test('an address is checked when it is saved: scheme, credentials, port and literal hosts', () => {
  const messageOf = (url: string) => {
    try {
      checkUrl(url, strict)
    } catch (error) {
      return (error as { info: { violations?: { message: string }[] } }).info.violations?.[0]?.message
    }
    return 'accepted'
  }
  for (const [url, message] of invalidUrls) assert.is(messageOf(url), message, url)
  for (const url of ['https://hotel.example/a?b=c', 'https://hotel.example:8443/', 'https://1.1.1.1/'])
    assert.is(messageOf(url), 'accepted', url)
  for (const url of ['http://127.0.0.1:3000/', 'http://hotel.example/', 'http://localhost:8080/']) checkUrl(url, local)
})

test('a name that resolves to a closed address is refused, whatever it looks like', async () => {
  for (const host of ['localhost', '127.0.0.1', '[::1]']) {
    try {
      await resolveHost(new URL(`https://${host}/`), strict)
      assert.unreachable(host)
    } catch (error) {
      assert.instance(error, ClosedAddressError, host)
    }
  }
  assert.equal(await resolveHost(new URL('http://127.0.0.1/'), local), [{ address: '127.0.0.1', family: 4 }])
})

test('a call goes to the checked address under the name of the endpoint, without a second look-up', async () => {
  const receiver = await startReceiver()
  const lookup = pinnedLookup([{ address: '127.0.0.1', family: 4 }])
  const request = get(`http://rebound.invalid:${receiver.port}/`, { lookup, agent: false })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  response.resume()
  assert.equal(
    receiver.messages.map(({ headers }) => headers.host),
    [`rebound.invalid:${receiver.port}`],
  )
  await receiver.close()
})

test.run()
