import { newId } from '../kernel/base/ids.ts'
import { assert, suite } from '../../test/kit/kit.ts'
import { createCrowds, perObject } from './crowds.ts'

const test = suite('lists of people that come again')

const people = Array.from({ length: 300 }, () => newId())

test('the same list is the same object, each id is in it once, and it is checked once', () => {
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

test('a list that is refused is refused again', () => {
  const crowdOf = createCrowds(ids => {
    if (ids.includes('nobody')) throw new RangeError('nobody')
  })
  for (let round = 0; round < 2; round++) assert.throws(() => crowdOf([...people, 'nobody']), /nobody/)
})

test('what is made of an object is made once, and of an equal one anew', () => {
  let made = 0
  const sizeOf = perObject((list: readonly string[]) => ({ size: list.length, made: ++made }))
  assert.equal(
    [sizeOf(people), sizeOf(people), sizeOf([...people])].map(one => one.made),
    [1, 1, 2],
  )
})

test.run()
