import { assert, suite } from '../kit/kit.ts'
import { addShape, lostFrom, type SeenShapes } from './seen-shapes.ts'

const test = suite('shapes of answers that were seen')

/** What the present values lost of the recorded ones. */
function lost(recorded: unknown[], present: unknown[]): string[] {
  const [before, after]: [SeenShapes, SeenShapes] = [{}, {}]
  for (const one of recorded) addShape(before, 'x', one)
  for (const one of present) addShape(after, 'x', one)
  return lostFrom(before['x'] ?? '', after['x'], 'x')
}

test('a field that is gone or of another kind is named, at any depth; a new one is not', () => {
  const page = { id: '1', author: { name: 'Ada' }, tags: [{ slug: 'a' }] }
  assert.equal(lost([page], [{ ...page, more: 1 }]), [])
  assert.equal(lost([page], [{ ...page, author: {}, tags: [{ slug: 1 }] }]), [
    'x.author.name is gone',
    'x.tags[].slug is number, and was string',
  ])
})

test('null, an empty list and values of several kinds stand for every value', () => {
  assert.equal(lost([{ a: null, b: [], c: 'x' }], [{ a: 1, b: [{}], c: null }]), [])
  assert.equal(lost([{ a: 1 }, { a: 'x' }, { a: 1 }], [{ a: {} }]), [])
})

test('what free objects hold is not compared', () => {
  assert.equal(lost([{ changes: { name: 'x' } }], [{ changes: { city: 'y' } }]), [])
  assert.equal(lost([{ data: [{ data: { name: 'x' } }] }], [{ data: [{ data: null }] }]), [])
})

test.run()
