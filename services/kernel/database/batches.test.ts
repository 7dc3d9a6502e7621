import { assert, suite } from '../../../test/kit/kit.ts'
import { inBatches } from './batches.ts'

const test = suite('batches')

test('items that arrive during a write share the next one, per key and in order', async () => {
  const batches: string[][] = []
  const write = inBatches(
    async (items: string[], key: string) => {
      batches.push([key, ...items])
      return items.map(item => item.toUpperCase())
    },
    { maxItems: 3 },
  )
  const answers = ['a', 'b', 'c', 'd', 'e'].map(item => write('one', item))
  const other = write('two', 'z')
  assert.equal(await Promise.all(answers), ['A', 'B', 'C', 'D', 'E'])
  assert.is(await other, 'Z')
  assert.equal(batches.toSorted(), [
    ['one', 'a', 'b', 'c'],
    ['one', 'd', 'e'],
    ['two', 'z'],
  ])
  assert.is(await write('one', 'f'), 'F')
})

test('a refused item fails alone, another failure fails the batch, and the key accepts further items', async () => {
  const batches: number[][] = []
  const write = inBatches(
    async (items: number[]) => {
      batches.push(items)
      if (items.includes(2)) throw new RangeError('two')
      if (items.includes(9)) throw new Error('no database')
      return items
    },
    { maxItems: 10, splitsOn: error => error instanceof RangeError },
  )
  const writeAll = async (items: number[]) =>
    (await Promise.allSettled(items.map(item => write('one', item)))).map(({ status }) => status)
  assert.equal(await writeAll([1, 2, 3]), ['fulfilled', 'rejected', 'fulfilled'])
  assert.equal(batches.splice(0), [[1, 2, 3], [1], [2], [3]])
  assert.equal(await writeAll([7, 8, 9]), ['rejected', 'rejected', 'rejected'])
  assert.equal(batches, [[7, 8, 9]])
  assert.is(await write('one', 4), 4)
})

test('without a rule every failed batch is written item by item', async () => {
  const write = inBatches(
    async (items: number[]) => {
      if (items.includes(3)) throw new Error('three')
      return items
    },
    { maxItems: 10 },
  )
  const results = await Promise.allSettled([1, 2, 3, 4].map(item => write('one', item)))
  assert.equal(
    results.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
  )
})

test.run()
