import { serviceNames } from '../../services/kernel/base/service-names.ts'
import { type Environment, readSetting } from '../../services/kernel/process/config.ts'
import { documentedSettings } from '../../services/kernel/process/settings/documented.ts'
import { storedSecrets } from '../stack/secrets.ts'
import type { CliCommand } from './command.ts'
import { dataDirOf, settingsOf } from './operator-settings.ts'
import { table } from './print.ts'

const prefixes = ['', ...serviceNames.map(name => `${name.toUpperCase()}_`), 'EDGE_', 'PLATFORM_', 'OPERATOR_']
const secretNames = /(SECRET|PASSWORD|TOKEN|_KEY|SENTRY_DSN)(_NEXT|_PREVIOUS)?$/
const publicNames = /^VAPID_PUBLIC_KEY$/

/** The settings that a process with this environment has, and where each comes from. */
export const configCommand: CliCommand = {
  name: 'config',
  summary: 'shows the effective settings and where each comes from; secrets are masked',
  async run({ env }) {
    // Without a data folder, nothing completes the environment.
    const settings = storedSecrets(dataDirOf(env)) ? settingsOf(env) : env
    const definitions = documentedSettings()
    const names = new Set(definitions.map(({ name }) => name))
    const data = definitions.flatMap(({ name, fallback }) =>
      prefixes.flatMap(prefix => {
        const fullName = prefix + name
        if (prefix && names.has(fullName)) return []
        const source = sourceOf(fullName, env, settings)
        if (source)
          return [{ name: fullName, value: maskSecret(fullName, readSetting(settings, '', fullName) ?? ''), source }]
        return prefix || !fallback ? [] : [{ name, value: fallback, source: 'default' }]
      }),
    )
    return { data: { data }, text: table(['setting', 'value', 'source'], data.map(Object.values)) }
  },
}

/** Undefined for a setting that is not set. */
function sourceOf(name: string, env: Environment, settings: Environment): string | undefined {
  if (env[name]) return 'environment'
  if (env[`${name}_FILE`]) return `file ${env[`${name}_FILE`]}`
  return settings[name] ? 'npm start' : undefined
}

/** A secret is only told to be set, and an address loses its password. */
const maskSecret = (name: string, value: string): string =>
  secretNames.test(name) && !publicNames.test(name)
    ? '***'
    : (value.split('\n')[0] ?? '').replaceAll(/(:\/\/[^:@/]*):[^/]*@/g, '$1:***@')
