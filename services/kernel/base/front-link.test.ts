import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { frontAddress, frontLink } from './front-link.ts'

const test = suite('links into the front end')
const page = '/reset-password'

test('path and token are appended to the address, with any slashes and queries', () => {
  const links = [
    ['https://front.example', page, 'https://front.example/reset-password?token=T'],
    ['https://front.example/app/', 'reset-password', 'https://front.example/app/reset-password?token=T'],
    ['https://front.example/app', '', 'https://front.example/app?token=T'],
    ['https://front.example/?lang=fr', page, 'https://front.example/reset-password?lang=fr&token=T'],
    ['https://front.example', '/reset-password?token=', 'https://front.example/reset-password?token=T'],
    ['https://front.example', '/reset?kind=a', 'https://front.example/reset?kind=a&token=T'],
  ]
  for (const [base = '', end = '', link] of links) assert.is(frontLink(base, end, 'T'), link)
  assert.is(frontLink('https://front.example/', '/hotels/1'), 'https://front.example/hotels/1')
})

test('for a front end with a hash router path and token are in the fragment', () => {
  const links = [
    ['https://front.example/#', page, 'https://front.example/#/reset-password?token=T'],
    ['https://front.example/#/', page, 'https://front.example/#/reset-password?token=T'],
    ['https://front.example#/', page, 'https://front.example/#/reset-password?token=T'],
    ['https://front.example/app/#!/staff/', page, 'https://front.example/app/#!/staff/reset-password?token=T'],
    ['https://front.example/?v=2#/', '/reset-password?token=', 'https://front.example/?v=2#/reset-password?token=T'],
    ['https://front.example', '/#/reset-password', 'https://front.example/#/reset-password?token=T'],
    ['https://front.example/app/', '#/reset-password?token=', 'https://front.example/app/#/reset-password?token=T'],
    ['https://front.example/#/', '#/reset-password', 'https://front.example/#/reset-password?token=T'],
  ]
  for (const [base = '', end = '', link] of links) assert.is(frontLink(base, end, 'T'), link)
  assert.is(frontLink('https://front.example/#/', '/hotels/1'), 'https://front.example/#/hotels/1')
})

test('an address that is not http or https is refused for a front end', () => {
  for (const text of ['front.example', 'ftp://front.example', 'https://', 'https://front example'])
    assert.not(frontAddress.safeParse(text).success, text)
})

test.run()
