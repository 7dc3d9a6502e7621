import { mainJob } from '../../cli/tour/main-job.ts'
import { openSocket } from '../../cli/tour/socket.ts'
import { newWorld, type World } from '../../cli/tour/world.ts'
import { suite } from '../kit/kit.ts'
import { type OwnPlatform, startPlatform } from '../kit/platform/platform.ts'

const test = suite('the main job while services are killed one after the other')
let platform: OwnPlatform
let world: World
test.before(async () => {
  platform = await startPlatform('split')
  world = newWorld({ ...platform, report: () => undefined })
})
test.after(async () => {
  world.sockets.news?.close()
  world.sockets.notification?.close()
  await platform.stop()
})

const victims = ['auth', 'member', 'hotel', 'media', 'payment', 'news', 'notification', 'edge']
mainJob.forEach((step, index) => {
  const victim = victims[index % victims.length] ?? 'auth'
  test(`${step.title}, after kill -9 of ${victim}`, async () => {
    await platform.restart(victim)
    // A killed edge loses its sockets; real clients reconnect by themselves.
    if (victim === 'edge' && world.sockets.news) await reconnect()
    await step.run(world)
  })
})

async function reconnect(): Promise<void> {
  const { urls, tokens, ids } = world
  const news = await openSocket(urls.news, tokens.colleague)
  await news.ask('joinWorkspace', ids['workspace'])
  world.sockets = { news, notification: await openSocket(urls.notification, tokens.colleague) }
}

test.run()
