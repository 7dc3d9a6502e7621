import { runPlatform } from '../platform.ts'
import { type CliCommand, textOf } from './command.ts'

/** `npm start` with its settings as options. Ends with the platform. */
export const upCommand: CliCommand = {
  name: 'up',
  summary: 'starts everything and runs in the foreground until Ctrl-C, like npm start',
  options: {
    'data-dir': { value: 'folder', help: 'folder for data, secrets and server logs; default DATA_DIR, else .data' },
    'no-seed': { help: 'skips the demonstration hotel' },
  },
  async run({ env, optionValues, isJson }) {
    const dataDir = textOf(optionValues, 'data-dir')
    if (dataDir !== undefined) env['DATA_DIR'] = dataDir
    if (optionValues['no-seed'] === true) env['SEED_DEMO'] = 'false'
    await runPlatform(isJson)
    // runPlatform ends the process itself.
    return new Promise(() => undefined)
  },
}
