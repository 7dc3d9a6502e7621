import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleId } from '../../cli/generate/openapi/schema.ts'
import { packWheel } from '../../cli/pack/wheel.ts'
import { documentOf } from '../../edge/docs/documents.ts'
import type { RestService } from '../../gen/catalogue.ts'
import { routes } from '../../gen/client/index.ts'
import { assert, suite } from '../kit/kit.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type HotelAccess, twoHotels } from '../kit/platform/two-hotels.ts'
import type { Document } from '../kit/requests/openapi.ts'

/* The samples of the documentation, run as they are: only the ids of records differ. */
const test = suite('samples of the documentation')
type Call = { service: string; id: string }
type Samples = { curl: string; TypeScript?: string; Python?: string }
const { callOf, samplesOf } = (await import(new URL('../../edge/docs/assets/samples.js', import.meta.url).href)) as {
  callOf(operation: { document: Document; place: string; path: string; method: string }): Call
  samplesOf(call: Call): { [language in keyof Samples]: (call: Call) => string }
}
const platform = await sharedPlatform()
const place = `${platform.frontUrl}/openapi.json`
const folder = mkdtempSync(join(tmpdir(), 'samples-'))
let hotel: HotelAccess
let document: Document
test.before(async () => {
  hotel = (await twoHotels(platform)).ownHotel
  document = (await (await fetch(place)).json()) as Document
  writeFileSync(join(folder, 'menu.pdf'), '%PDF-1.4')
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

/**
 * Creates a page, lists pages, creates a category and uploads a file, each with a sample.
 * @param commandOf the program that runs a sample and prints the answer as JSON, and its arguments
 */
function judge(language: keyof Samples, commandOf: (sample: string) => [string, ...string[]]): void {
  const [page, pages, category, file] = [
    ['/api/v1/pages', 'post'],
    ['/api/v1/pages', 'get'],
    ['/api/v1/categories', 'post'],
    ['/media/upload', 'post'],
  ].map(([path = '', method = '']) => {
    const call = callOf({ document, place, path, method })
    const sample = (samplesOf(call)[language]?.(call) ?? '').replaceAll(exampleId, hotel.workspace)
    const [command, ...args] = commandOf(sample)
    const { stdout, stderr, status } = spawnSync(command, args, {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, TOKEN: hotel.token },
    })
    assert.is(status, 0, `${sample}\n${stderr}`)
    return JSON.parse(stdout) as Record<string, unknown>
  })
  const listedPages = pages?.['data'] as { id: string }[]
  assert.ok(listedPages.some(({ id }) => id === page?.['id']))
  assert.ok(category?.['id'])
  assert.equal([file?.['fileName'], file?.['contentType']], ['menu.pdf', 'application/pdf'])
}

test('those in curl', () => {
  judge('curl', sample => ['bash', '-euc', sample.replace('curl', 'curl -sf')])
})

test('those in TypeScript', () => {
  const client = new URL('../../edge/client/client.ts', import.meta.url).href
  const options = { addresses: platform.urls, tokens: { accessToken: hotel.token, refreshToken: '' } }
  const head = `import { platformClient } from '${client}'\nconst platform = platformClient(${JSON.stringify(options)})\n`
  const program = (sample: string) => `${head}${sample}\nconsole.log(JSON.stringify(answer))`
  judge('TypeScript', sample => [process.execPath, '--input-type=module', '-e', program(sample)])
})

const hasPython = spawnSync('python3', ['--version']).status === 0
if (!hasPython) console.error('NOT PROVEN: Python is missing, so its samples are not run')
;(hasPython ? test : test.skip)('those in Python', () => {
  const head = `
import json, sys
sys.path.insert(0, ${JSON.stringify(packWheel(folder))})
from hospitality_platform import PlatformClient, Tokens
platform = PlatformClient(addresses=${JSON.stringify(platform.urls)}, tokens=Tokens(${JSON.stringify(hotel.token)}, ""))
`
  judge('Python', sample => ['python3', '-W', 'error', '-c', `${head}${sample}\nprint(json.dumps(answer))`])
})

test('every operation of the client has a sample in TypeScript with its name, and no other operation has', () => {
  for (const service of Object.keys(routes) as RestService[]) {
    const serviceDocument = JSON.parse(documentOf({ names: [service] }).text) as Document
    const names = Object.entries(serviceDocument.paths).flatMap(([path, methods]) =>
      Object.keys(methods).flatMap(method => {
        const call = callOf({ document: serviceDocument, place, path, method })
        return /await platform\.\w+\.(\w+)\(/.exec(samplesOf(call).TypeScript?.(call) ?? '')?.[1] ?? []
      }),
    )
    assert.equal(names.toSorted(), Object.keys(routes[service]).toSorted(), service)
  }
})

test.run()
