import { assert, suite } from '../../test/kit/kit.ts'
import { sharedClasses } from './styles.ts'

const test = suite('the check of style sheets')
const sheet = (path: string, text: string) => ({ path, text })

test('a class that two style sheets begin a rule with is named with both', () => {
  const sheets = [
    sheet('feed.css', '.feed {\n}\n\n.tag {\n  color: red;\n}\n'),
    sheet('page.css', '.page .tag {\n}\n\n.page,\n.tag:hover {\n}\n'),
  ]
  assert.equal(sharedClasses(sheets), [
    '.tag is in feed.css and page.css: rename one of the two, or begin its rules with a class of its own folder',
  ])
})

test('a class inside of another, in a value or in one style sheet only is nobody else’s', () => {
  const apart = [
    sheet('feed.css', '.feed .tag {\n  margin: .5rem;\n}\n.feed > .tag:hover {\n}\n'),
    sheet('page.css', '.page .tag {\n}\n'),
  ]
  assert.equal(sharedClasses(apart), [])
})

test.run()
