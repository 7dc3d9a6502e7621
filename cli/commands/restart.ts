import { LaunchError } from '../stack/errors.ts'
import { askRestart } from '../stack/restart.ts'
import { seconds } from '../stack/services.ts'
import { type Command, CommandError, exitCodes } from './command.ts'
import { dataDirOf } from './places.ts'
import { count as counted } from './print.ts'

/** Replaces the processes of a running `npm start`, to load new code without an interruption. */
export const restartCommand: Command = {
  name: 'restart',
  summary: 'replaces the processes of npm start one by one, without downtime',
  async run({ env }) {
    const { count, tookMs, error } = await askRestart(dataDirOf(env)).catch((cause: unknown) => {
      throw cause instanceof LaunchError ? new CommandError(cause.message, exitCodes.unreachable) : cause
    })
    if (error !== undefined) throw new CommandError(`Processes were not replaced: ${error}`)
    const data = { count, tookMs }
    return {
      data,
      text: `${counted(count, 'platform process', 'platform processes')} replaced in ${seconds(tookMs ?? 0)}.`,
    }
  },
}
