import { messageOf, seconds } from '../stack/messages.ts'
import { mainJob } from '../tour/main-job.ts'
import { newWorld, signOut } from '../tour/world.ts'
import { administratorOf, isUnanswered, refuseProduction, sandboxUrlOf, unreachable, urlsOf } from './access.ts'
import { type CliCommand, CommandError } from './command.ts'

/** Plays the platform's main job against a running one. */
export const tourCommand: CliCommand = {
  name: 'tour',
  summary: 'runs the main workflow against the running platform and shows its steps',
  options: {
    host: { value: 'address', help: 'address of the platform; default 127.0.0.1' },
    verbose: { help: 'shows every call with its answer' },
  },
  async run(ask) {
    const { env, optionValues, print } = ask
    const report = (line: string, detail?: unknown): void => {
      if (optionValues['verbose'] !== true) return
      print(`    ${line}`)
      const text = detail === undefined ? '' : JSON.stringify(detail)
      if (text) print(`      ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`)
    }
    const world = newWorld({
      urls: urlsOf({ env, optionValues }),
      sandboxUrl: sandboxUrlOf(env),
      administrator: administratorOf(env),
      report,
    })
    refuseProduction(ask, 'the tour does not run: it leaves a hotel with known passwords.')
    const began = Date.now()
    const steps: { title: string; ms: number }[] = []
    try {
      for (const { title, run } of mainJob) {
        const from = Date.now()
        print(`  ${steps.length + 1}. ${title}`)
        await run(world).catch((error: unknown) => {
          if (isUnanswered(error)) throw unreachable(new URL(world.urls.auth).host, messageOf(error))
          throw new CommandError(`Step ${steps.length + 1} failed: ${messageOf(error)}`)
        })
        steps.push({ title, ms: Date.now() - from })
      }
    } finally {
      for (const socket of Object.values(world.sockets)) socket?.close()
      await signOut(world)
    }
    return { data: { steps }, text: `  All ${steps.length} steps done in ${seconds(Date.now() - began)}.` }
  },
}
