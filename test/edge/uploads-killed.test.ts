import { readdirSync, readlinkSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '../../services/kernel/base/ids.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { sendZeros, startMediaProcesses } from '../kit/platform/media-processes.ts'

const test = suite('uploads whose service is killed')
const processes = await startMediaProcesses()
test.after(() => processes.stop())
const ecosystemId = newId()
const size = 8_000_000

/** The edge's open temporary files, which have no name any more. */
function spooledFiles(): string[] {
  const folder = `/proc/${processes.pid('edge')}/fd`
  return readdirSync(folder).filter(name => {
    try {
      return readlinkSync(`${folder}/${name}`).includes('/upload-')
    } catch {
      return false
    }
  })
}

/** The edge finds the service a moment after it listens. */
async function restartMedia(): Promise<void> {
  await processes.start('media')
  await eventually(async () => (await sendZeros(processes, ecosystemId, 1_000, { fileFirst: true })).status === 201)
}

test('one that still arrives is refused, and leaves no temporary file', async () => {
  const pause = Promise.withResolvers<void>()
  const options = { fileFirst: true, stopAfter: size / 2, onStop: pause.resolve }
  const answer = sendZeros(processes, ecosystemId, size, options)
  await pause.promise
  await eventually(() => spooledFiles().length === 1)
  await processes.kill('media')
  assert.is((await answer).status, 503)
  await eventually(() => spooledFiles().length === 0)
  await restartMedia()
})

test('one that the service has begun to read is refused, and leaves no temporary file', async () => {
  const answer = sendZeros(processes, ecosystemId, 10 * size, { fileFirst: true })
  await eventually(() => spooledFiles().length === 1)
  process.kill(processes.pid('media'), 'SIGSTOP')
  // The whole file arrives, and the service reads a part of it at most.
  await sleep(2_000)
  await processes.kill('media')
  assert.is((await answer).status, 503)
  await eventually(() => spooledFiles().length === 0)
  await restartMedia()
})

test.run()
