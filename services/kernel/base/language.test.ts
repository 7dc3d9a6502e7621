import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { preferredLanguage } from './language.ts'

const test = suite('the language of a browser')

test('of the available languages the most preferred is used, the first of equals', () => {
  const expected: [header: string | null, language: 'fr' | 'en' | undefined][] = [
    ['en', 'en'],
    ['en-GB,en;q=0.9,fr;q=0.8', 'en'],
    ['de-CH, fr-CH;q=0.7, en;q=0.9', 'en'],
    ['FR-fr', 'fr'],
    ['fr,en', 'fr'],
    ['en;q=0, fr;q=0.1', 'fr'],
    ['de, *', undefined],
    ['english, frisian;q=1', undefined],
    ['', undefined],
    [null, undefined],
    [`${'x,'.repeat(400)}en`, undefined],
  ]
  for (const [header, language] of expected) assert.is(preferredLanguage(header), language, String(header))
})

test.run()
