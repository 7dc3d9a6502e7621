import * as assert from 'uvu/assert'
import { mainJob } from '../../cli/tour/main-job.ts'
import { newWorld, type World } from '../../cli/tour/world.ts'
import { suite } from '../kit/kit.ts'
import type { Platform } from '../kit/platform/platform.ts'
import { sharedPlatform } from '../kit/platform/shared.ts'
import { type Watch, watchAnswers } from '../kit/requests/schema-check.ts'

const test = suite('answers and OpenAPI documents')
let platform: Platform
let world: World
let watch: Watch

test.before(async () => {
  platform = await sharedPlatform()
  world = newWorld({ ...platform, report: () => undefined })
  watch = watchAnswers(platform.urls)
})
test.after(async () => {
  watch.stop()
  world.sockets.news?.close()
  world.sockets.notification?.close()
})

for (const step of mainJob)
  test(`every answer is as documented: ${step.title}`, async () => {
    await step.run(world)
    assert.equal(watch.problems, [])
  })

test('the job covered all services that it requires', () => {
  assert.ok(watch.operations.size > 20, `${watch.operations.size} routes`)
})

test.run()
