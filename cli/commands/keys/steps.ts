import type { Environment } from '../../../services/kernel/process/config.ts'
import { newSecret, type RotatableSecret } from '../../stack/secrets.ts'
import { CommandError } from '../command.ts'
import type { Changes, KeyFile } from './file.ts'

export type Stage = 'settled' | 'prepared' | 'switched' | 'missing'

/** The stage of a secret's rotation. */
export function stageOf(file: Pick<KeyFile, 'get'>, name: RotatableSecret): Stage {
  if (!file.get(name)) return 'missing'
  if (file.get(`${name}_NEXT`)) return 'prepared'
  return file.get(`${name}_PREVIOUS`) ? 'switched' : 'settled'
}

/** A step of a rotation: the secret, the stage it reaches, and the changed settings. */
export type KeyStep = { name: RotatableSecret; stage: Stage; changes: Changes }

/**
 * The next step of a rotation. First every process accepts the new value and keeps using the old one; then all switch,
 * still accepting both. At no moment does a process make something that another can't read.
 * @param atOnce both in one step, for a platform whose processes all stop before the first starts again
 */
export function nextStep(file: KeyFile, name: RotatableSecret, atOnce: boolean): KeyStep {
  const current = file.get(name)
  const next = file.get(`${name}_NEXT`)
  if (!current) throw new CommandError(`${file.path} has no ${name}.`)
  if (!next && file.get(`${name}_PREVIOUS`))
    throw new CommandError(`The previous ${name} is still accepted. Run \`platform keys retire ${name}\` first.`)
  if (!next && !atOnce) return { name, stage: 'prepared', changes: { [`${name}_NEXT`]: newSecret(name) } }
  const changes = { [name]: next ?? newSecret(name), [`${name}_PREVIOUS`]: current, [`${name}_NEXT`]: undefined }
  return { name, stage: 'switched', changes }
}

/** Ends a rotation: the previous value is no longer accepted. */
export function retirement(file: KeyFile, name: RotatableSecret): KeyStep {
  if (file.get(`${name}_NEXT`))
    throw new CommandError(`A rotation of ${name} is in progress. Run \`platform keys rotate ${name}\` first.`)
  if (!file.get(`${name}_PREVIOUS`)) throw new CommandError(`${name} has no previous value.`)
  return { name, stage: 'settled', changes: { [`${name}_PREVIOUS`]: undefined } }
}

/** The environment of processes that read the file from now on. */
export const withFile = (env: Environment, file: KeyFile, names: readonly string[]): Environment => ({
  ...env,
  ...Object.fromEntries(names.map(name => [name, file.get(name)])),
})
