import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { contentDisposition, fileNameOf } from './file-name.ts'

const test = suite('file names')

test('a file name loses its path, control characters and text direction marks', () => {
  for (const path of ['C:\\photos\\été.jpg', '\\\\server\\share\\été.jpg', '../..\\..\\été.jpg', 'a/b/été.jpg'])
    assert.is(fileNameOf(path), 'été.jpg', path)
  assert.is(fileNameOf('..\\..\\été.jpg'), 'été.jpg')
  assert.is(fileNameOf('a\u202egnp.exe\r\nX: y'), 'agnp.exeX: y')
  for (const empty of ['..', '', ' ', '\0', 'a/', '\u200b']) assert.is(fileNameOf(empty), 'file')
})

test('a file name keeps every other character that people type', () => {
  for (const name of ['a "b".txt', 'a\\b.txt', 'Why? <1:2|3>*.txt', '👨‍👩‍👧.png', 'می‌خواهم.txt', '50%.pdf', "it's"])
    assert.is(fileNameOf(name), name)
})

test('a download names its file exactly, and in a plain form whose quotes and backslashes are escaped', () => {
  assert.is(
    contentDisposition('inline', 'a "b\\c".txt'),
    String.raw`inline; filename="a \"b\\c\".txt"; filename*=UTF-8''a%20%22b%5Cc%22.txt`,
  )
  assert.is(
    contentDisposition('attachment', '客房%.txt'),
    'attachment; filename="___.txt"; filename*=UTF-8\'\'%E5%AE%A2%E6%88%BF%25.txt',
  )
  assert.is(contentDisposition('inline', ''), 'inline')
})

test.run()
