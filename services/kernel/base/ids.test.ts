import { assert, suite } from '../../../test/kit/kit.ts'
import { isId, newId } from './ids.ts'

const test = suite('ids')

test('ids are unique over any number of draws, and sort by the second of their creation', () => {
  const ids = Array.from({ length: 5_000 }, () => newId())
  assert.is(new Set(ids).size, ids.length)
  assert.ok(ids.every(isId))
  assert.is(new Set(ids.map(id => id.slice(8))).size, ids.length)
  assert.ok(newId(1_000_000_000_000) < newId(1_000_000_001_000))
  assert.is(newId(1_000).slice(0, 8), '00000001')
})

test.run()
