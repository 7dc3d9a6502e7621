import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../run.ts'
import { loadFiles } from './descriptors.ts'
import { emittersIn, eventEntries, eventGaps, serviceSources } from './events/catalogue.ts'

const test = suite('the catalogue of events')
const files = await loadFiles(join(root, 'gen'))
const entries = eventEntries(files, serviceSources())
const entryOf = (type: string) => {
  const found = entries.find(({ event }) => event.type === type)
  if (!found) throw new Error(`no event ${type}`)
  return found
}

test('every event has an emitter, and a template and a frame or an explicit none', () => {
  assert.equal(eventGaps(entries), [])
  assert.ok(entries.length > 30)
})

test('the page of events has a section with every field of each payload', () => {
  const page = readFileSync(join(root, 'docs/events.md'), 'utf8')
  for (const { event, desc, emitters } of entries) {
    const section = page.split(`\n## ${event.type}\n`)[1]?.split('\n## ')[0] ?? ''
    assert.ok(section.includes(`\`${event.key}\``), event.key)
    for (const emitter of emitters) assert.ok(section.includes(emitter), `${event.type} by ${emitter}`)
    for (const { jsonName } of desc.fields)
      assert.ok(section.includes(`| \`${jsonName}\` |`), `${event.type}: ${jsonName}`)
  }
})

test('emitters, template, frame and rooms of an event are those of the code', () => {
  const { emitters, template, frames } = entryOf('comment.created')
  assert.equal(
    [emitters, template, frames],
    [['news'], 'comment_created', [{ event: 'comment.created', rooms: ['page:{pageId}'] }]],
  )
  assert.equal(entryOf('hotel.settings_updated').frames, [{ event: 'settings:updated', rooms: ['hotel:{hotelId}'] }])
  assert.equal(entryOf('payment.subscription_changed').emitters, ['payment'])
  assert.equal([entryOf('user.created').template, entryOf('user.created').frames], [undefined, []])
})

test('an event that nobody emits, or that has no texts and no row, is a gap', () => {
  const page = entryOf('page.created')
  const silent = { ...page, emitters: [] }
  assert.equal(eventGaps([...entries.filter(each => each !== page), silent]), ['page.created: no service emits it'])
  const event = { ...page.event, type: 'page.pinned', key: 'platform.notification.page.pinned' }
  assert.equal(eventGaps([...entries, { ...page, event, template: undefined }]), [
    'page.pinned: has no template in services/notification/texts/default-templates.ts',
    'page.pinned: has no row in edge/live/feed.ts, nor is it in unfedSubjects',
  ])
  const gone = eventGaps(entries.filter(each => each !== page))
  assert.equal(gone, [
    'platform.notification.page.created: is in edge/live/feed.ts, but not in events/v1',
    'page.created: has a template, but is not an event',
  ])
})

test('only the services themselves emit, on one line or on several', () => {
  const text = 'emit(trx, ASchema, {})\n  emitBare(\n    trx,\n    BSchema,\n  emitAll(trx, CSchema, [])\n'
  const paths = ['services/news/a.ts', 'services/news/a.test.ts', 'services/kernel/b.ts', 'bench/c.ts']
  assert.equal(
    [...emittersIn(paths.map(path => ({ path, text })))].map(([name, from]) => [name, [...from]]),
    [
      ['ASchema', ['news']],
      ['BSchema', ['news']],
      ['CSchema', ['news']],
    ],
  )
})

test.run()
