import { newId } from '../kernel/base/ids.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { createCrowds, perObject } from './crowds.ts'

const test = suite('shared lists of receivers')

const people = Array.from({ length: 300 }, () => newId())

test('the same list is the same object, has each id once, and is validated once', () => {
  let checks = 0
  const crowdOf = createCrowds(() => void checks++)
  const crowd = crowdOf([...people, ...people.slice(0, 5)])
  assert.equal([...crowd], people)
  assert.is(crowdOf([...people, ...people.slice(0, 5)]), crowd)
  assert.is(checks, 1)
  assert.is.not(crowdOf([...people].reverse()), crowd)
  assert.is.not(crowdOf(people.slice(1)), crowd)
  assert.equal([...crowdOf(['a', 'b', 'a'])], ['a', 'b'])
})

test('a refused list is refused again', () => {
  const crowdOf = createCrowds(ids => {
    if (ids.includes('nobody')) throw new RangeError('nobody')
  })
  for (let round = 0; round < 2; round++) assert.throws(() => crowdOf([...people, 'nobody']), /nobody/)
})

test('a value derived from an object is computed once, and again for an equal object', () => {
  let made = 0
  const sizeOf = perObject((list: readonly string[]) => ({ size: list.length, made: ++made }))
  assert.equal(
    [sizeOf(people), sizeOf(people), sizeOf([...people])].map(one => one.made),
    [1, 1, 2],
  )
})

test.run()
