import { assert, suite } from '../../../test/kit/kit.ts'
import { newId } from './ids.ts'
import { memoizeByList, memoizeByObject } from './memo.ts'

const test = suite('memo')

const people = Array.from({ length: 300 }, () => newId())

test('an equal list gives the same object, made once', () => {
  let callCount = 0
  const crowdOf = memoizeByList(names => {
    callCount++
    return [...new Set(names)]
  }, 10_000)
  const crowd = crowdOf([...people, ...people.slice(0, 5)])
  assert.equal(crowd, people)
  assert.is(crowdOf([...people, ...people.slice(0, 5)]), crowd)
  assert.is(callCount, 1)
  assert.is.not(crowdOf([...people].reverse()), crowd)
  assert.is.not(crowdOf(people.slice(1)), crowd)
  assert.equal(crowdOf(['a', 'b', 'a']), ['a', 'b'])
})

test('a refused list is refused again', () => {
  const crowdOf = memoizeByList(names => {
    if (names.includes('nobody')) throw new RangeError('nobody')
    return names
  }, 10_000)
  for (let round = 0; round < 2; round++) assert.throws(() => crowdOf([...people, 'nobody']), /nobody/)
})

test('a value derived from an object is computed once, and again for an equal object', () => {
  let callCount = 0
  const sizeOf = memoizeByObject((list: readonly string[]) => ({ size: list.length, made: ++callCount }))
  assert.equal(
    [sizeOf(people), sizeOf(people), sizeOf([...people])].map(one => one.made),
    [1, 1, 2],
  )
})

test.run()
