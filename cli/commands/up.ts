import { fileURLToPath } from 'node:url'
import { runPlatform } from '../platform.ts'
import { type Command, textOf } from './command.ts'

/** `npm start` with its settings as options. Ends with the platform. */
export const upCommand: Command = {
  name: 'up',
  summary: 'starts everything and stays in the foreground until Ctrl-C, as npm start',
  options: {
    'data-dir': { value: 'folder', help: 'where data, secrets and server logs are; DATA_DIR, or .data' },
    workers: { value: 'number', help: 'platform processes; WORKERS, or one per core' },
    'no-seed': { help: 'makes no demonstration hotel' },
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
