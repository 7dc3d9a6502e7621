import { spawnSync } from 'node:child_process'
import { exampleId } from '../../cli/generate/openapi/schema.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type HotelAccess, twoHotels } from '../kit/platform/two-hotels.ts'
import type { Document } from '../kit/requests/openapi.ts'

/* The samples of the documentation, run as they are: only the ids of records differ. */
const test = suite('samples of the documentation')
type Sample = (call: object) => string
const { callOf, samples } = (await import(new URL('../../edge/docs/assets/samples.js', import.meta.url).href)) as {
  callOf(operation: { document: Document; place: string; path: string; method: string }): object
  samples: { curl: Sample; Python: Sample }
}
const platform = await sharedPlatform()
let hotel: HotelAccess
let document: Document
const place = `${platform.urls.news}/openapi.json`
test.before(async () => {
  hotel = (await twoHotels(platform)).ownHotel
  document = (await (await fetch(place)).json()) as Document
})

/** A program of the samples in a language, which creates a page, lists pages and creates a category. */
const programOf = (sample: Sample): string[] =>
  [
    ['/api/v1/pages', 'post'],
    ['/api/v1/pages', 'get'],
    ['/api/v1/categories', 'post'],
  ].map(([path = '', method = '']) =>
    sample(callOf({ document, place, path, method })).replaceAll(exampleId, hotel.workspace),
  )

/** Runs a program. @returns what it printed, a JSON text per line */
function outputOf(command: string, args: string[]): Record<string, unknown>[] {
  const { stdout, stderr, status } = spawnSync(command, args, {
    encoding: 'utf8',
    env: { ...process.env, TOKEN: hotel.token },
  })
  assert.is(status, 0, `${args.at(-1)}\n${stderr}`)
  const lines = stdout.trim().split('\n')
  return lines.map(line => JSON.parse(line) as Record<string, unknown>)
}

function judge([page, pages, category]: Record<string, unknown>[]): void {
  const listed = pages?.['data'] as { id: string }[]
  assert.ok(listed.some(({ id }) => id === page?.['id']))
  assert.ok(category?.['id'])
}

test('those in curl', () => {
  judge(
    outputOf('bash', [
      '-euc',
      programOf(samples.curl)
        .map(line => `${line.replace('curl', 'curl -sf')}\necho`)
        .join('\n'),
    ]),
  )
})

const hasRequests = spawnSync('python3', ['-c', 'import requests']).status === 0
if (!hasRequests) console.error('NOT PROVEN: Python with requests is missing, so its samples are not run')
;(hasRequests ? test : test.skip)('those in Python', () => {
  const program = programOf(samples.Python).map(text =>
    text.replace('print(answer.json())', 'print(json.dumps(answer.json()))'),
  )
  judge(outputOf('python3', ['-c', `import json\ntoken = ${JSON.stringify(hotel.token)}\n${program.join('\n')}`]))
})

test.run()
