import { readFileSync } from 'node:fs'
import { assert, suite } from '../../test/kit/kit.ts'
import { brokenEvents, brokenRoutes, type EventsDocument, type RestDocument } from './documents.ts'

const test = suite('changes of routes and events')
const text = readFileSync(new URL('../../gen/openapi/news.json', import.meta.url), 'utf8')

/** What a change of the news service's document breaks. */
function broken(change: (document: RestDocument) => void): string[] {
  const after = JSON.parse(text) as RestDocument
  change(after)
  return brokenRoutes({ before: JSON.parse(text) as RestDocument, after })
}
const schemaOf = ({ components }: RestDocument, name: string) =>
  components.schemas?.[name] as { required: string[]; properties: Record<string, object> }

test('what is added breaks nothing', () => {
  const added = broken(document => {
    document.paths['/api/v1/new'] = document.paths['/api/v1/pages'] ?? {}
    schemaOf(document, 'Page').properties['motto'] = { type: 'string' }
    schemaOf(document, 'CreatePageRequest').properties['motto'] = { type: 'string' }
  })
  assert.equal(added, [])
})

test('a route, a field of a request and one of an answer that are gone are named', () => {
  const gone = broken(document => {
    document.paths['/api/v1/page'] = document.paths['/api/v1/pages'] ?? {}
    delete document.paths['/api/v1/pages']
  })
  assert.equal(gone, ['GET /api/v1/pages is gone', 'POST /api/v1/pages is gone'])
  assert.equal(
    broken(document => delete schemaOf(document, 'CreatePageRequest').properties['excerpt']),
    ['POST /api/v1/pages: request.excerpt is gone'],
  )
  const [line] = broken(document => delete schemaOf(document, 'Page').properties['excerpt'])
  assert.match(line ?? '', /^\w+ \/api\/v1\/pages.*: 20\d\S*\.excerpt is gone$/)
})

test('a field that no longer takes null, or may be null in an answer, is named', () => {
  const withType = (name: string, field: string, type: unknown) =>
    broken(document => (schemaOf(document, name).properties[field] = { type })).join()
  assert.match(withType('CreatePageRequest', 'excerpt', 'string'), /request\.excerpt no longer takes null/)
  assert.match(withType('Page', 'title', ['string', 'null']), /\.title may be null now/)
})

test('what is required, no longer certain, or of another type is named', () => {
  assert.equal(
    broken(document => schemaOf(document, 'CreatePageRequest').required.push('excerpt')),
    ['POST /api/v1/pages: request.excerpt is required now'],
  )
  assert.match(broken(document => schemaOf(document, 'Page').required.pop()).join(), / may be absent now/)
  assert.match(
    broken(document => (schemaOf(document, 'Page').properties['title'] = { type: 'integer' })).join(),
    /\.title is integer now/,
  )
})

test('an event, a frame and a field of either that are gone are named', () => {
  const events = readFileSync(new URL('../../gen/asyncapi.json', import.meta.url), 'utf8')
  const [before, after] = [JSON.parse(events) as EventsDocument, JSON.parse(events) as EventsDocument]
  assert.equal(brokenEvents({ before, after }), [])
  delete after.operations['news send page.created']
  delete schemaOf(after as unknown as RestDocument, 'UserCreated').properties['email']
  assert.equal(brokenEvents({ before, after }), [
    'send platform.auth.user.created.payload.email is gone',
    'news send page.created is gone',
  ])
})

test.run()
