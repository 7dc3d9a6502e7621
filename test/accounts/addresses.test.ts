import { mailsTo } from '../../cli/tour/client.ts'
import { addressOf, password } from '../../cli/tour/world.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'

/** Ownership of e-mail addresses, with real mails, in one process [R20] [R57]. */
const test = suite('addresses over HTTP')
let platform: Platform
let hotels: TwoHotels

test.before(async () => {
  platform = await sharedPlatform()
  hotels = await twoHotels(platform)
})

test('a mail to somebody who is no member yet is in the language of their browser', async () => {
  const register = async (name: string, language: string) => {
    const email = addressOf(hotels.world, name)
    const answer = await fetch(`${platform.urls.auth}/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'accept-language': language },
      body: JSON.stringify({ email, password, firstName: 'Sol' }),
    })
    assert.is(answer.status, 201, await answer.clone().text())
    return eventually(async () => (await mailsTo(platform.sandboxUrl, email)).at(-1))
  }
  const english = await register('sol.en', 'en-GB,en;q=0.9,fr;q=0.5')
  assert.is(english['subject'], 'Confirm your e-mail address')
  assert.match(String(english['text']), 'Hello Sol,')
  assert.is((await register('sol.de', 'de'))['subject'], 'Confirmez votre adresse e-mail')
})

test.run()
