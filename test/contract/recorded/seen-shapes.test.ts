import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { EventsDocument, RestDocument } from '../../../cli/released/documents.ts'
import { readDocuments, shapesFile } from '../../../cli/released/record.ts'
import { assert, suite } from '../../kit/kit.ts'
import { addShape, lostFrom, type SeenShapes } from './seen-shapes.ts'

const test = suite('shapes of answers that were seen')

/** What the present values lost of the recorded ones. */
function findLosses(recorded: unknown[], present: unknown[]): string[] {
  const [before, after]: [SeenShapes, SeenShapes] = [{}, {}]
  for (const one of recorded) addShape(before, 'x', one)
  for (const one of present) addShape(after, 'x', one)
  return lostFrom(before['x'] ?? '', after['x'], 'x')
}

test('a field that is gone or of another kind is named, at any depth; a new one is not', () => {
  const page = { id: '1', author: { name: 'Ada' }, tags: [{ slug: 'a' }] }
  assert.equal(findLosses([page], [{ ...page, more: 1 }]), [])
  assert.equal(findLosses([page], [{ ...page, author: {}, tags: [{ slug: 1 }] }]), [
    'x.author.name is gone',
    'x.tags[].slug is number, and was string',
  ])
})

test('null, an empty list and values of several kinds stand for every value', () => {
  assert.equal(findLosses([{ a: null, b: [], c: 'x' }], [{ a: 1, b: [{}], c: null }]), [])
  assert.equal(findLosses([{ a: 1 }, { a: 'x' }, { a: 1 }], [{ a: {} }]), [])
})

test('what free objects hold is not compared', () => {
  assert.equal(findLosses([{ changes: { name: 'x' } }], [{ changes: { city: 'y' } }]), [])
  assert.equal(findLosses([{ data: [{ data: { name: 'x' } }] }], [{ data: [{ data: null }] }]), [])
})

/** What a test run can't cause by plain calls. */
const unrecordedNames = [
  // Need a day, or an invitation, to pass.
  'event platform.notification.page.due',
  'auth 410',
  'member 410',
  // Needs a broken table.
  'event platform.webhook.report-error',
  // Needs another upload with the same key at the same moment.
  'media 409',
  // Needs a card that is declined.
  'payment 409',
]

test('the record has every operation, refusal, event and frame that the release documents', () => {
  const names = Object.entries(readDocuments()).flatMap(([path, document]) => {
    if (path.endsWith('asyncapi.json'))
      return Object.entries((document as EventsDocument).operations)
        .filter(([, { action }]) => action === 'send')
        .map(([name]) => name.replace(/^send /, 'event ').replace(' send ', ' frame '))
    const service = basename(path, '.json')
    return Object.values((document as RestDocument).paths)
      .flatMap(verbs => Object.values(verbs))
      .flatMap(({ operationId, responses }) => [
        `${service}.${String(operationId)}`,
        ...Object.keys(responses)
          .filter(status => /^[45]/.test(status))
          .map(status => `${service} ${status}`),
      ])
  })
  const record = JSON.parse(readFileSync(shapesFile, 'utf8')) as SeenShapes
  const recorded = new Set(Object.keys(record).map(name => name.replace(/^(\w+\.\w+) \d+$/, '$1')))
  const missingNames = [...new Set(names)].filter(name => !recorded.has(name))
  assert.equal(missingNames.toSorted(), unrecordedNames.toSorted())
})

test.run()
