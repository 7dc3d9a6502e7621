import { create, type DescMethod, fromJson, type JsonObject } from '@bufbuild/protobuf'
import { FieldMaskSchema } from '@bufbuild/protobuf/wkt'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RouteAnswer } from '../../cli/tour/client.ts'
import { Body, Dialect } from '../../gen/platform/options/v1/options_pb.ts'
import { checkTexts } from '../../services/kernel/json/texts.ts'
import { isInternal } from '../../services/kernel/rpc/door/body.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { callerFor, idsOf, type TwoHotels, twoHotels } from '../kit/platform/two-hotels.ts'
import { isId, minimalJson } from '../kit/requests/minimal-body.ts'
import { inParallel, pathsOf, probe, short } from '../kit/requests/probing.ts'
import { as, type Endpoint, endpoints, idFor, planRequest } from '../kit/requests/requests.ts'
import { rpcClient, rpcSurfaces } from '../kit/requests/surfaces.ts'
import { type TypedText, typedTextsOf } from '../kit/requests/typed-texts.ts'
import { loadFiles, rpcsOf } from './descriptors.ts'

/* What every text that people type refuses, generated from the descriptors, so that new fields are covered. */
const test = suite('texts of every route')
const platform = await sharedPlatform()
const { send, wrong, faults } = probe(platform.urls)
let hotels: TwoHotels

/** White space, ignorable and format characters, Braille blank, Hangul fillers, tags, controls. */
const invisible = [
  ' ',
  '\u00a0\u3000',
  '\u200b',
  '\u2060\ufeff',
  '\u2800',
  '\u3164\u115f',
  '\u00ad\u202e',
  '\u{e0041}\ufe0f',
  '\t\n\u0085',
]
const brokenTexts = ['\n', '\r', '\t', '\u0007', '\u007f', '\u0085', '\u2028', '\u2029'].map(mark => `a${mark}b`)

const all = (await endpoints()).filter(one => one.route.restOptions.request !== Body.MULTIPART)

function answerTo(endpoint: Endpoint, { top, valueWith }: TypedText, text: string): Promise<RouteAnswer> {
  const value = valueWith(text)
  const ownIds = idsOf(hotels.ownHotel, endpoint)
  const isBound = endpoint.pathFields.includes(top)
  const plan = planRequest(
    endpoint,
    field => (isBound && field === top ? String(value) : ownIds(field)),
    isBound ? {} : { [top.jsonName]: value },
  )
  return send(endpoint, plan.path, as(callerFor(hotels, endpoint), plan))
}

const isLegacy = ({ route }: Endpoint): boolean => route.restOptions.dialect === Dialect.LEGACY

/** Tries texts in every chosen place of every route, and returns the answers that don't suit. */
async function tried(
  matches: (text: TypedText) => boolean,
  texts: string[],
  suits: (answer: RouteAnswer, text: TypedText, endpoint: Endpoint) => boolean,
): Promise<{ count: number; problems: string[] }> {
  let count = 0
  const problems = await wrong(all, async endpoint => {
    for (const place of typedTextsOf(endpoint.route.method.input).filter(matches))
      for (const text of texts) {
        count++
        const answer = await answerTo(endpoint, place, text)
        if (!suits(answer, place, endpoint)) return `${place.path} ${JSON.stringify(text)} → ${short(answer)}`
      }
    return undefined
  })
  return { count, problems }
}

test('two hotels', async () => {
  hotels = await twoHotels(platform)
})

test('a required text of invisible characters is a 400 that names it', async () => {
  const { count, problems } = await tried(
    ({ isRequired }) => isRequired,
    invisible,
    (answer, { path }) => answer.status === 400 && pathsOf(answer).includes(path),
  )
  assert.ok(count >= 300, `${count}`)
  assert.equal(problems, [])
})

test('a line break or control in a text of one line is a 400 that names it', async () => {
  const { count, problems } = await tried(
    ({ isMultiline }) => !isMultiline,
    brokenTexts,
    (answer, { path }, endpoint) => answer.status === 400 && (isLegacy(endpoint) || pathsOf(answer).includes(path)),
  )
  assert.ok(count >= 600, `${count}`)
  assert.equal(problems, [])
})

test('a text of several lines keeps them', async () => {
  const { count, problems } = await tried(
    ({ isMultiline }) => isMultiline,
    ['one\r\n\ttwo\u2028three\u000bfour'],
    (answer, { path }) => !pathsOf(answer).includes(path),
  )
  assert.ok(count >= 20, `${count}`)
  assert.equal(problems, [])
})

for (const surface of rpcSurfaces)
  test(`the same is refused over ${surface}`, async () => {
    const ask = rpcClient(platform, surface)
    const methods = rpcsOf(await loadFiles()).filter(
      one =>
        one.parent.typeName.startsWith('platform.') &&
        one.methodKind !== 'client_streaming' &&
        !(surface === '/rpc' && isInternal(one)),
    )
    const headersOf = (method: DescMethod): Record<string, string> => {
      const endpoint = all.find(({ route }) => route.method === method)
      const token = endpoint && callerFor(hotels, endpoint)
      return token === undefined ? { 'x-api-key': hotels.apiKey } : { authorization: `Bearer ${token}` }
    }
    const problems: string[] = []
    await inParallel(methods, async method => {
      const chooseValue = (field: Parameters<typeof isId>[0]) =>
        isId(field) ? idFor(method.name + field.name) : undefined
      const mask = method.input.fields.find(field => field.message?.typeName === FieldMaskSchema.typeName)
      for (const place of typedTextsOf(method.input)) {
        const text = place.isRequired ? '\u3164' : place.isMultiline ? undefined : 'a\nb'
        if (text === undefined) continue
        const json = { ...minimalJson(method.input, chooseValue), [place.top.jsonName]: place.valueWith(text) }
        const input = fromJson(method.input, json as JsonObject)
        if (mask) Object.assign(input, { [mask.localName]: create(FieldMaskSchema, { paths: [place.top.name] }) })
        const answer = await ask(method, input, headersOf(method))
        const isRight = answer.status === 400 && answer.text.includes(place.path)
        if (!isRight && answer.status !== 501)
          problems.push(`${method.name} ${place.path}: ${answer.status} ${answer.text}`)
      }
    })
    assert.equal(problems.sort(), [])
  })

test('an optional text of invisible characters is absent', async () => {
  const places = rpcsOf(await loadFiles()).flatMap(({ input }) =>
    input.fields
      .filter(
        field =>
          field.presence === 1 && typedTextsOf(input).some(({ top, isRequired }) => top === field && !isRequired),
      )
      .map(field => ({ input, field })),
  )
  assert.ok(places.length > 60, `${places.length}`)
  for (const { input, field } of places) {
    if (field.fieldKind !== 'scalar') continue
    const message = create(input, { [field.localName]: '\u200b\u2800 ' })
    assert.equal(checkTexts(input, message), [])
    assert.is((message as unknown as Record<string, unknown>)[field.localName], undefined, String(field))
  }
})

test('a row of a bulk call with such a name fails by itself', async () => {
  const row = (firstName: string, n: number) => ({
    email: `row${n}.${hotels.world.run}@guest.example`,
    firstName,
    lastName: 'R',
  })
  const names = ['Zoë', ...invisible, ...brokenTexts, 'x'.repeat(256), '😀'.repeat(255)]
  const members = names.map(row)
  const endpoint = all.find(({ route }) => route.method.name === 'BulkAddMembers')
  assert.ok(endpoint)
  const body = { workspaceId: hotels.ownHotel.workspace, members }
  const { path } = planRequest(endpoint, idsOf(hotels.ownHotel, endpoint))
  const answer = await send(endpoint, path, { token: hotels.ownHotel.token, body })
  const results = answer.body?.['results'] as unknown as { success: boolean; message: string | null }[]
  assert.equal(
    results.map(({ success }) => success),
    names.map(name => name === 'Zoë' || name.startsWith('😀')),
  )
  assert.ok(results.every(({ success, message }) => success || message?.startsWith('firstName: ')))
})

test('no request is answered with a 5xx', () => {
  assert.equal(faults(), [])
})

test.run()
