import { listeners } from '../edge/config.ts'
import type { RestService } from '../edge/catalogue.ts'
import { mainJob } from './tour/main-job.ts'
import { newWorld } from './tour/world.ts'
import type { Urls } from './tour/client.ts'
import { loadSecrets } from './stack/secrets.ts'

/** `npm run tour`: plays the platform's main job against a running one and prints each step with its calls. */
const names = Object.keys(listeners) as RestService[]
const urls = Object.fromEntries(
  names.map(name => {
    const { setting, port } = listeners[name]
    return [name, `http://127.0.0.1:${process.env[setting] ?? port}`]
  }),
) as Urls
const password =
  process.env['BOOTSTRAP_ADMIN_PASSWORD'] ?? loadSecrets(process.env['DATA_DIR'] ?? '.data').BOOTSTRAP_ADMIN_PASSWORD
const world = newWorld({
  urls,
  sandboxUrl: `http://127.0.0.1:${process.env['SANDBOX_PORT'] ?? 3010}`,
  administrator: { email: process.env['BOOTSTRAP_ADMIN_EMAIL'] ?? 'admin@platform.example', password },
  report(line, detail) {
    const text = detail === undefined ? '' : JSON.stringify(detail)
    console.log(`    ${line}`)
    if (text) console.log(`      ${text.length > 400 ? `${text.slice(0, 400)}…` : text}`)
  },
})

const began = Date.now()
let number = 0
try {
  for (const step of mainJob) {
    console.log(`\n  ${++number}. ${step.title}`)
    await step.run(world)
  }
  console.log(`\n  All ${mainJob.length} steps done in ${((Date.now() - began) / 1000).toFixed(1)} s.\n`)
  process.exit(0)
} catch (error) {
  console.error(`\n  Step ${number} failed: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
