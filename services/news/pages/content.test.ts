import { assert, suite } from '../../../test/kit/kit.ts'
import { toRpcError } from '../../kernel/base/errors.ts'
import { contentText, mentionsIn } from './content.ts'

const test = suite('stored content')

/** Path at which a document is refused; undefined when it is accepted. */
function refusedAt(content: unknown): string | undefined {
  try {
    contentText(content)
    return undefined
  } catch (error) {
    return toRpcError(error).info.violations[0]?.path
  }
}

test('an address that runs code is refused, in any spelling and at any depth', () => {
  const bad = [
    'javascript:alert(1)',
    ' JavaScript:alert(1)',
    'java\tscript:alert(1)',
    '\u0000javascript:alert(1)',
    'vbscript:x',
    'data:text/html,<script>',
    'data:text/html;base64,PHNjcmlwdD4=',
    'data:,x',
    '&#106;avascript:alert(1)',
    'javascript&colon;alert(1)',
    'javascript&#x3A;alert(1)',
  ]
  for (const address of bad) {
    assert.is(refusedAt({ url: address }), 'content.url', address)
    assert.is(refusedAt({ a: [{ b: { imageUrl: address } }] }), 'content.a[0].b.imageUrl', address)
    assert.is(refusedAt({ links: ['https://x.example', address] }), 'content.links[1]', address)
    assert.is(refusedAt({ text: `See <a HREF = "${address}">this</a>` }), 'content.text', address)
    assert.is(refusedAt({ type: 'code', data: { url: address } }), 'content.data.url', address)
  }
  assert.is(refusedAt({ text: '<img src=javascript:alert(1)>' }), 'content.text')
  assert.is(refusedAt({ text: "<form action='javascript:x'>" }), 'content.text')
  assert.is(refusedAt({ text: '<a title=x" href=javascript:alert(1)>' }), 'content.text')
})

/** The ways in which HTML writes a character. */
const spellings: ((char: string) => string)[] = [
  char => char,
  char => char.toUpperCase(),
  ...[0, 1, 3, 8, 40].flatMap(zeros => {
    const numbered = (char: string, base: number) => '0'.repeat(zeros) + (char.codePointAt(0) ?? 0).toString(base)
    return [
      (char: string) => `&#${numbered(char, 10)};`,
      (char: string) => `&#x${numbered(char, 16)};`,
      (char: string) => `&#X${numbered(char, 16).toUpperCase()};`,
    ]
  }),
]
const separators = ['', '\t', '\n', '&Tab;', '&NewLine;', '&#9;', '&#x0000000000A;']

test('an address that runs code is refused however its characters are written', () => {
  for (const scheme of ['javascript', 'vbscript'])
    for (const spell of spellings)
      for (const separator of separators)
        for (const colon of [':', '&colon;', ...spellings.slice(2).map(each => each(':'))]) {
          const address = `${[...scheme].map(spell).join(separator)}${colon}alert(1)`
          assert.is(refusedAt({ url: address }), 'content.url', address)
          assert.is(refusedAt({ text: `<a href="${address}">x</a>` }), 'content.text', address)
        }
})

test('only the text of a code block is code: the document, its captions and blocks inside are checked', () => {
  const html = '<a href="javascript:alert(1)">x</a>'
  for (const type of ['code', 'codeBlock', 'code-block', 'inlineCode']) {
    assert.is(refusedAt({ type, text: html }), 'content.text', type)
    assert.is(refusedAt({ type, blocks: [{ type: 'paragraph', data: { text: html } }] }), 'content.blocks[0].data.text')
    assert.is(refusedAt({ blocks: [{ type, data: { code: '', caption: html } }] }), 'content.blocks[0].data.caption')
    const inner = { type, content: [{ type: 'paragraph', text: html }] }
    assert.is(refusedAt({ blocks: [inner] }), 'content.blocks[0].content[0].text')
    assert.is(refusedAt({ code: { blocks: [{ text: html }] } }), 'content.code.blocks[0].text')
    for (const block of [
      { type, text: html },
      { type, data: { code: html } },
      { type, content: [{ type: 'text', text: html }] },
    ])
      assert.is(refusedAt({ blocks: [block] }), undefined, JSON.stringify(block))
  }
})

test('any other address, and text that only looks like one, is stored unchanged', () => {
  for (const address of [
    'https://x.example/a:b',
    'HTTP://x.example',
    '/pages/1',
    '#top',
    '//cdn.example/x',
    'a/b:c',
    '',
    'mailto:a@b.example',
    'tel:+33123456789',
    'hotelapp://rooms/12',
    'ftp://x.example',
    'data:image/png;base64,iVBORw0KGgo=',
    'blob:https://x.example/6f1c',
    'Note: voir page 3',
  ])
    assert.is(refusedAt({ url: address, text: `<a href="${address}">x</a>` }), undefined, address)
  const content = {
    text: 'JavaScript: the good parts',
    note: 'href=x: no tag',
    sum: 'if a < b then src=data:text/html,x',
    n: 1,
    no: null,
    list: [true, 'data: 1'],
    link: 'Note: voir page 3',
    blocks: [
      { type: 'code', data: { code: '<a href="javascript:alert(1)">never</a>' } },
      { type: 'codeBlock', content: [{ type: 'text', text: '<img src="data:text/html,x">' }] },
    ],
  }
  assert.equal(JSON.parse(contentText(content)), content)
})

test('only objects are valid documents, up to 1 MiB and 100 levels', () => {
  for (const content of [null, undefined, 'text', 1, [], [{}]]) assert.is(refusedAt(content), 'content')
  assert.is(refusedAt({ text: 'é'.repeat(524_280) }), undefined)
  assert.is(refusedAt({ text: 'é'.repeat(524_290) }), 'content')
  const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) })
  assert.is(refusedAt(nested(100)), undefined)
  assert.is(refusedAt(nested(101)), 'content')
})

test('mentions are those of the stored texts', () => {
  const [ada, bob] = ['6f0000000000000000000001', '6f0000000000000000000002']
  const text = `Ask <span class="mention" data-member="${ada}">@Ada</span> or <b><span data-member="${bob}">@Bob</span></b>`
  const blocks = [
    { type: 'paragraph', data: { text } },
    { type: 'code', data: { code: 'data-member="6f0000000000000000000003"' } },
  ]
  assert.equal([...mentionsIn(contentText({ blocks: [...blocks, ...blocks] }))], [ada, bob])
})

test.run()
