import { fileURLToPath } from 'node:url'
import { runPlatform } from '../platform.ts'
import { type Command, textOf } from './command.ts'

/** `npm start` with its settings as options. Ends with the platform. */
export const upCommand: Command = {
  name: 'up',
  summary: 'starts everything and runs in the foreground until Ctrl-C, like npm start',
  options: {
    'data-dir': { value: 'folder', help: 'folder for data, secrets and server logs; default DATA_DIR, else .data' },
    workers: { value: 'number', help: 'platform processes; default WORKERS, else one' },
    'no-seed': { help: 'skips the demonstration hotel' },
  },
  async run({ env, given, isJson }) {
    // Started processes read these settings, too.
    const chosen = { DATA_DIR: textOf(given, 'data-dir'), WORKERS: textOf(given, 'workers') }
    for (const [name, value] of Object.entries(chosen)) if (value !== undefined) env[name] = value
    if (given['no-seed'] === true) env['SEED_DEMO'] = 'false'
    await runPlatform(fileURLToPath(new URL('../worker.ts', import.meta.url)), isJson)
    // runPlatform ends the process itself.
    return new Promise(() => undefined)
  },
}
