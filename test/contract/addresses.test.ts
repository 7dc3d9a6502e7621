import { create, type DescField, type DescMessage, getOption } from '@bufbuild/protobuf'
import { field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { UpdateHotelRequestSchema } from '../../gen/platform/hotel/v1/hotels_pb.ts'
import { CreateTeamRequestSchema } from '../../gen/platform/member/v1/teams_pb.ts'
import { ValidationError, type Violation } from '../../services/kernel/base/errors.ts'
import { webAddress } from '../../services/kernel/base/text.ts'
import { requireValid } from '../../services/kernel/rpc/validator.ts'
import { loadFiles, messagesOf, rpcsOf } from './descriptors.ts'

const test = suite('contract: web addresses and colours')
const files = await loadFiles()

/** Every field that a request holds, at any depth. */
function fieldsIn(message: DescMessage, visitedMessages = new Set<DescMessage>()): DescField[] {
  if (visitedMessages.has(message)) return []
  visitedMessages.add(message)
  return message.fields.flatMap(field => [field, ...(field.message ? fieldsIn(field.message, visitedMessages) : [])])
}

const patternOf = (field: DescField): string => {
  const { type } = getOption(field, rulesOption)
  return type.case === 'string' ? type.value.pattern : ''
}
const pattern = patternOf(UpdateHotelRequestSchema.field.website)

test('every web address that clients follow is checked by one rule', () => {
  const inputs = new Set(rpcsOf(files).flatMap(({ input }) => fieldsIn(input)))
  const addresses = [...inputs].filter(({ name }) => /^website$|_url$/.test(name))
  assert.ok(addresses.length >= 14, `${addresses.length}`)
  assert.equal(addresses.filter(field => patternOf(field) !== pattern).map(String), [])
  const addressFields = messagesOf(files).flatMap(({ fields }) => fields.filter(one => patternOf(one).includes('ttp')))
  assert.equal(addressFields.filter(field => patternOf(field) !== pattern).map(String), [])
})

function faultOf(schema: DescMessage, values: object): Violation | undefined {
  try {
    requireValid(schema, create(schema, values as never))
    return undefined
  } catch (error) {
    if (error instanceof ValidationError) return error.info.violations[0]
    throw error
  }
}

const id = 'a'.repeat(24)
const website = (text: string) =>
  faultOf(UpdateHotelRequestSchema, { id, website: text, updateMask: { paths: ['website'] } })

test('addresses with http or https in any case, without a scheme, and relative ones are accepted', () => {
  for (const text of [
    'https://hotel.example',
    'HTTP://Hotel.example:8080/a?b=c:d#e',
    'www.hôtel.example',
    'www.hotel.example/menu?at=12:30',
    '//cdn.example/logo.png',
    '/logo.png',
    'logo.png',
    '?page=1',
  ])
    assert.is(website(text), undefined, text)
})

test('other schemes and control characters are refused by name', () => {
  for (const text of [
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'mailto:a@b.example',
    'javascript://%0aalert(1)',
    'https://hotel.example/\nx',
    'www.hotel.example\u007f',
  ]) {
    const { path, message } = website(text) ?? {}
    assert.equal([path, message], ['website', 'must be a web address, http or https or without a scheme'], text)
  }
})

test('where mails and QR codes need a scheme, it is https when none is given; a relative address leads nowhere', () => {
  const addresses = {
    'https://hotel.example/a': 'https://hotel.example/a',
    'HTTP://hotel.example': 'HTTP://hotel.example',
    'www.hotel.example/menu?at=12:30': 'https://www.hotel.example/menu?at=12:30',
    '//cdn.example/logo.png': 'https://cdn.example/logo.png',
    '/logo.png': undefined,
    './logo.png': undefined,
    logo: undefined,
    'javascript:alert.x': undefined,
  }
  for (const [text, address] of Object.entries(addresses)) assert.is(webAddress(text), address, text)
})

const color = (text: string) => faultOf(CreateTeamRequestSchema, { workspaceId: id, name: 'Bar', color: text })

test('the colour of a team is any that style sheets know, and nothing that leaves its declaration', () => {
  for (const text of ['#abc', '#11223344', 'RebeccaPurple', 'rgb(10 20 30)', 'hsl(120.5, 50%, 25%)', '1E40AF'])
    assert.is(color(text), undefined, text)
  for (const text of ['red;background:url(https://a.example)', 'url("https://a.example")', '}', 'a'.repeat(65), 'a\n'])
    assert.is(color(text)?.path, 'color', text)
})

test.run()
