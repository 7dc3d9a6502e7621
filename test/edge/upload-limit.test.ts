import { randomBytes } from 'node:crypto'
import { readdir, readlink } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { filesForTest, form, multipart, type Part } from '../kit/edge-files.ts'
import { assert, eventually, suite } from '../kit/kit.ts'

const test = suite('the largest upload')
const { url, apiKey, tenant, post, end } = await filesForTest({ MEDIA_MAX_FILE_MO: '1' })
test.after(() => end())

const fileOf = (bytes: number): Part => ['file', randomBytes(bytes), 'x.bin']
const message = 'The file must not exceed 1000000 bytes'

/** Open upload files of this process. They are unlinked, so no folder lists them. */
async function spooled(): Promise<string[]> {
  const open = await readdir('/proc/self/fd')
  const paths = await Promise.all(open.map(fd => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
  return paths.filter(path => path.includes('/upload-'))
}

test('a file of the maximum size is accepted, and one byte more is a 413, in either order', async () => {
  const folder: Part = ['folder', 'a']
  for (const [bytes, expected] of [
    [1_000_000, 201],
    [1_000_001, 413],
  ] as const)
    for (const parts of [
      [tenant, folder, fileOf(bytes)],
      [fileOf(bytes), tenant, folder],
    ]) {
      const { status, answer } = await post(form(...parts))
      assert.is(status, expected, JSON.stringify(answer))
      if (status === 413) assert.equal([answer['error'], answer['message']], ['PayloadTooLargeError', message])
    }
})

test('a form of unknown length with its file first is refused while the file arrives, and nothing is kept', async () => {
  const headers = { 'content-type': multipart, 'x-api-key': apiKey }
  const request = httpRequest(`${url}/media/upload`, { method: 'POST', headers }).on('error', () => undefined)
  const whenAnswered = new Promise<{ status: number | undefined; text: string }>(resolve => {
    request.on('response', response => {
      let text = ''
      response.on('data', part => (text += part)).on('end', () => resolve({ status: response.statusCode, text }))
    })
  })
  const file = form(fileOf(1_500_000))
  request.write(file.subarray(0, 500_000))
  await eventually(async () => (await spooled()).length === 1)
  request.write(file.subarray(500_000, 1_400_000))
  // The form never ends, so waiting for it would hang.
  const timeout = new Promise<undefined>(resolve => setTimeout(resolve, 5_000, undefined).unref())
  const answer = await Promise.race([whenAnswered, timeout])
  const { error, message: text } = JSON.parse(answer?.text ?? '{}')
  assert.equal([answer?.status, error, text], [413, 'PayloadTooLargeError', message])
  await eventually(async () => (await spooled()).length === 0)
  request.destroy()
})

test.run()
