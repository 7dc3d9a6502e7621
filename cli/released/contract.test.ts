import { assert, suite } from '../../test/kit/kit.ts'
import { brokenContract, contractImage } from './contract.ts'

const test = suite('changes of the protos')
const image = contractImage()

test('the present protos keep what the release promises', () => assert.equal(brokenContract(image).output, ''))

test('a renamed RPC, service, field, message and file are named', () => {
  const changedImage = image
    .replace('"name":"CreatePage",', '"name":"MakePage",')
    .replace('"name":"CategoryService"', '"name":"CategoriesService"')
    .replace('"name":"page_type"', '"name":"kind"')
    .replace(/\bPollOption\b/g, 'PollChoice')
    .replace(/platform\/news\/v1\/pins\.proto/g, 'platform/news/v1/pinned.proto')
  const { ok, output } = brokenContract(changedImage)
  assert.is(ok, false)
  for (const line of [
    /RPC "CreatePage" on service "PageService" was deleted/,
    /service "CategoryService" was deleted/,
    /changed name from "page_type" to "kind"/,
    /message "PollOption" was deleted/,
    /file "platform\/news\/v1\/pins\.proto" was deleted/,
  ])
    assert.match(output, line)
})

test.run()
