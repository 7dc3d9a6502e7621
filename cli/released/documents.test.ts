import { readFileSync } from 'node:fs'
import { assert, suite } from '../../test/kit/kit.ts'
import { brokenEvents, brokenRoutes, type EventsDocument, type RestDocument } from './documents.ts'

const test = suite('changes of routes and events')
const text = readFileSync(new URL('../../gen/openapi/news.json', import.meta.url), 'utf8')

/** What a change of the news service's document breaks. */
function findBreaks(change: (document: RestDocument) => void): string[] {
  const after = JSON.parse(text) as RestDocument
  change(after)
  return brokenRoutes({ before: JSON.parse(text) as RestDocument, after })
}
const schemaOf = ({ components }: RestDocument, name: string) =>
  components.schemas?.[name] as { required: string[]; properties: Record<string, object> }

const operationOf = ({ paths }: RestDocument, verb = 'post') => {
  const operation = paths['/api/v1/pages']?.[verb]
  assert.ok(operation)
  return operation
}
const parametersOf = (document: RestDocument) => operationOf(document, 'get').parameters ?? []
const closedSchema = { additionalProperties: false }

test('what is added breaks nothing', () => {
  const breaks = findBreaks(document => {
    document.paths['/api/v1/new'] = document.paths['/api/v1/pages'] ?? {}
    schemaOf(document, 'Page').properties['motto'] = { type: 'string' }
    schemaOf(document, 'CreatePageRequest').properties['motto'] = { type: 'string' }
  })
  assert.equal(breaks, [])
})

test('a route, a field of a request and one of an answer that are gone are named', () => {
  const breaks = findBreaks(document => {
    document.paths['/api/v1/page'] = document.paths['/api/v1/pages'] ?? {}
    delete document.paths['/api/v1/pages']
  })
  assert.equal(breaks, ['GET /api/v1/pages is gone', 'POST /api/v1/pages is gone'])
  assert.equal(
    findBreaks(document => delete schemaOf(document, 'CreatePageRequest').properties['excerpt']),
    ['POST /api/v1/pages: request.excerpt is gone'],
  )
  const [line] = findBreaks(document => delete schemaOf(document, 'Page').properties['excerpt'])
  assert.match(line ?? '', /^\w+ \/api\/v1\/pages.*: 20\d\S*\.excerpt is gone$/)
})

test('a field that no longer takes null, or may be null in an answer, is named', () => {
  const withType = (name: string, field: string, type: unknown) =>
    findBreaks(document => (schemaOf(document, name).properties[field] = { type })).join()
  assert.match(withType('CreatePageRequest', 'excerpt', 'string'), /request\.excerpt no longer takes null/)
  assert.match(withType('Page', 'title', ['string', 'null']), /\.title may be null now/)
})

test('what is required, no longer certain, or of another type is named', () => {
  assert.equal(
    findBreaks(document => schemaOf(document, 'CreatePageRequest').required.push('excerpt')),
    ['POST /api/v1/pages: request.excerpt is required now'],
  )
  assert.match(findBreaks(document => schemaOf(document, 'Page').required.pop()).join(), / may be absent now/)
  assert.match(
    findBreaks(document => (schemaOf(document, 'Page').properties['title'] = { type: 'integer' })).join(),
    /\.title is integer now/,
  )
})

/** Changes of one operation, and what is said of them. */
const changes: [name: string, change: (document: RestDocument) => void, line: RegExp][] = [
  [
    'a shorter text',
    document => (schemaOf(document, 'CreatePageRequest').properties['title'] = { type: 'string', maxLength: 10 }),
    /request\.title: maxLength is 10 now, and was 255/,
  ],
  [
    'a new bound',
    document =>
      Object.assign(schemaOf(document, 'CreatePageRequest').properties['content'] ?? {}, { maxProperties: 9 }),
    /request\.content: maxProperties is 9 now, and was absent/,
  ],
  [
    'a new pattern of a parameter',
    document => Object.assign(parametersOf(document)[6]?.schema ?? {}, { pattern: '^a' }),
    /query search: pattern is "\^a" now/,
  ],
  [
    'a value that is no longer taken',
    document => Object.assign(parametersOf(document)[3]?.schema ?? {}, { enum: ['feed'] }),
    /query pageType: enum is \["feed"\] now/,
  ],
  [
    'unknown fields that are refused',
    document => Object.assign(schemaOf(document, 'CreatePageRequest').properties['content'] ?? {}, closedSchema),
    /request\.content: additionalProperties is false now/,
  ],
  [
    'another success status',
    document => {
      const { responses } = operationOf(document)
      Object.assign(responses, { 202: responses['201'] })
      delete responses['201']
    },
    /POST \/api\/v1\/pages: 201 is gone/,
  ],
  [
    'one more success status',
    document => Object.assign(operationOf(document).responses, { 202: { description: 'Later.' } }),
    /POST \/api\/v1\/pages: 202 is new/,
  ],
  ['an error that is gone', document => delete operationOf(document).responses['429'], /: 429 is gone/],
  [
    'another name for clients',
    document => (operationOf(document)['operationId'] = 'MakePage'),
    /operationId is "MakePage" now, and was "CreatePage"/,
  ],
  [
    'fewer credentials',
    document => (operationOf(document)['security'] = [{ bearer: [] }]),
    /security is \[\{"bearer":\[\]\}\] now/,
  ],
  [
    'another permission',
    document => (operationOf(document)['x-permission'] = 'manage_settings'),
    /x-permission is "manage_settings" now/,
  ],
  [
    'a format of an answer that is gone',
    document => delete (schemaOf(document, 'Page').properties['createdAt'] as { format?: string }).format,
    /\.createdAt: format is absent now, and was "date-time"/,
  ],
  [
    'an answer with other values',
    document => Object.assign(schemaOf(document, 'Page').properties['viewCount'] ?? {}, { format: 'int64' }),
    /\.viewCount: format is "int64" now/,
  ],
  [
    'a header that is gone',
    document => delete document.paths['/api/v1/pages/{id}']?.['get']?.responses['200']?.headers?.['ETag'],
    /GET \/api\/v1\/pages\/\{id\}: 200 has no ETag/,
  ],
]
for (const [name, change, line] of changes)
  test(`${name} is named`, () => assert.match(findBreaks(change).join('\n'), line))

test('wider requests, narrower answers, other texts and further credentials break nothing', () => {
  const breaks = findBreaks(document => {
    const { title } = schemaOf(document, 'CreatePageRequest').properties
    Object.assign(title ?? {}, { maxLength: 300, description: 'Any.' })
    Object.assign(parametersOf(document)[3]?.schema ?? {}, { enum: ['feed', 'article', 'event', 'poll', 'video'] })
    Object.assign(schemaOf(document, 'Page').properties['pageType'] ?? {}, {
      enum: ['feed', 'article', 'event', 'poll'],
    })
    const operation = operationOf(document)
    operation['description'] = 'Makes a page.'
    operation['security'] = [{ apiKey: [] }, ...(operation['security'] as object[])]
    operation.responses['410'] = { $ref: '#/components/responses/NotFoundError' }
  })
  assert.equal(breaks, [])
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
