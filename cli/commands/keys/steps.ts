import type { Environment } from '../../../services/kernel/process/config.ts'
import { newSecret, type Replaceable } from '../../stack/secrets.ts'
import { CommandError } from '../command.ts'
import type { Changes, KeyFile } from './file.ts'

export type Stage = 'settled' | 'prepared' | 'switched' | 'missing'

/** How far the replacement of a secret is. */
export function stageOf(file: Pick<KeyFile, 'get'>, name: Replaceable): Stage {
  if (!file.get(name)) return 'missing'
  if (file.get(`${name}_NEXT`)) return 'prepared'
  return file.get(`${name}_PREVIOUS`) ? 'switched' : 'settled'
}

/** What processes of before say of a secret that is replaced, once all of them have read the present file. */
export type Step = { name: Replaceable; stage: Stage; changes: Changes }

/**
 * The next step of a replacement. First every process learns the new value and goes on using the old one, then all
 * change over, each still reading what the others use: at no moment is anything made that some process cannot read.
 * @param atOnce both in one step, for a platform whose processes all end before the first begins anew
 */
export function nextStep(file: KeyFile, name: Replaceable, atOnce: boolean): Step {
  const current = file.get(name)
  const next = file.get(`${name}_NEXT`)
  if (!current) throw new CommandError(`${file.path} has no ${name}.`)
  if (!next && file.get(`${name}_PREVIOUS`))
    throw new CommandError(`The former ${name} is still read. Run \`platform keys retire ${name}\` first.`)
  if (!next && !atOnce) return { name, stage: 'prepared', changes: { [`${name}_NEXT`]: newSecret(name) } }
  const changes = { [name]: next ?? newSecret(name), [`${name}_PREVIOUS`]: current, [`${name}_NEXT`]: undefined }
  return { name, stage: 'switched', changes }
}

/** Ends a replacement: what the former value made is no longer accepted. */
export function retirement(file: KeyFile, name: Replaceable): Step {
  if (file.get(`${name}_NEXT`))
    throw new CommandError(`${name} is being replaced. Run \`platform keys rotate ${name}\` first.`)
  if (!file.get(`${name}_PREVIOUS`)) throw new CommandError(`There is no former ${name}.`)
  return { name, stage: 'settled', changes: { [`${name}_PREVIOUS`]: undefined } }
}

/** The environment as processes will see it that read the file from now on. */
export const withFile = (env: Environment, file: KeyFile, names: readonly string[]): Environment => ({
  ...env,
  ...Object.fromEntries(names.map(name => [name, file.get(name)])),
})
