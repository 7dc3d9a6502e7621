import { z } from 'zod'
import { edgeConfig } from '../../../edge/config.ts'
import { serviceNames } from '../../../services/kernel/base/service-names.ts'
import {
  ConfigError,
  type Environment,
  readSetting,
  readSettings,
  secret,
  storageKey,
} from '../../../services/kernel/process/config.ts'
import { logLevel } from '../../../services/kernel/process/log.ts'
import { isProduction } from '../../../services/kernel/process/mode.ts'
import { assertProduction } from '../../../services/kernel/process/settings/production.ts'
import { settingWarnings } from '../../../services/kernel/process/settings/setting-faults.ts'
import { brokerAddress, databaseAddress } from '../../../services/kernel/process/tls.ts'
import { brokerUsers } from '../../stack/broker-permissions.ts'
import { type Finding, fault, note, ok } from './finding.ts'

/** The required settings, each checked separately, so that all faults show at once. */
const requiredSettings: Record<string, z.ZodType> = {
  JWT_ACCESS_SECRET: secret,
  JWT_REFRESH_SECRET: secret,
  PASSWORD_ENCRYPTION_KEY: storageKey,
  SERVICE_API_KEY: secret,
  AMQP_GATEWAY_URL: brokerAddress,
  ...Object.fromEntries(serviceNames.map(name => [`${name.toUpperCase()}_DATABASE_URL`, databaseAddress])),
}

/** The setting of each provider's key; without it, the channel is off. */
const providers = {
  'push by FCM': 'FCM_PROJECT_ID',
  'push by OneSignal': 'ONESIGNAL_APP_ID',
  'push to browsers': 'VAPID_PRIVATE_KEY',
  chat: 'CHAT_ORGANIZATION_TOKEN',
  payment: 'PAYMENT_SECRET_KEY',
  weather: 'WEATHER_API_KEY',
}

export function configurationFindings(env: Environment): Finding[] {
  const isFresh = Object.keys(requiredSettings).every(name => !env[name] && !env[`${name}_FILE`])
  if (isFresh)
    return [note('settings', 'not configured, and never started here', 'npm start creates everything it needs')]
  // With separate broker accounts for all processes, the common address is not needed.
  const isDivided = brokerUsers.every(user => readSetting(env, '', `${user.toUpperCase()}_AMQP_GATEWAY_URL`))
  const settingsToCheck = Object.entries(requiredSettings).filter(([name]) => !isDivided || name !== 'AMQP_GATEWAY_URL')
  const faults = settingsToCheck.flatMap(([name, schema]) => problem(env, name, schema))
  let isReal = false
  const hostedServices = new Set(serviceNames)
  try {
    readSettings(env, '', { LOG_LEVEL: logLevel })
    edgeConfig(env)
    isReal = isProduction(env)
    assertProduction(env, hostedServices)
  } catch (error) {
    faults.push(fault('settings', linesOf(error), 'correct the setting, see .env.example'))
  }
  const providersWithoutKey = Object.entries(providers).filter(([, name]) => !env[name] && !env[`${name}_FILE`])
  const warnings = settingWarnings(env, hostedServices).map(line => note('settings', line))
  const success = [ok('settings', `${settingsToCheck.length} required settings are present`)]
  const findings = [...(faults.length > 0 ? faults : success), ...warnings]
  if (!isReal) return [...findings, note('providers', 'the sandbox replaces providers that have no key')]
  return [
    ...findings,
    ...providersWithoutKey.map(([provider, name]) => note(provider, 'has no key', `set ${name} to use it`)),
  ]
}

function problem(env: Environment, name: string, schema: z.ZodType): Finding[] {
  try {
    readSettings(env, '', { [name]: schema })
    return []
  } catch (error) {
    const fix = name.endsWith('_URL')
      ? `npm start runs a private server; to use yours, set ${name}, see .env.example`
      : `npm start generates one; otherwise set ${name} to the output of \`openssl rand -hex 32\``
    return [fault(name, linesOf(error).replace(`${name}: `, ''), fix)]
  }
}

/** A settings error without its heading. */
function linesOf(error: unknown): string {
  if (!(error instanceof ConfigError)) return String(error)
  return error.message.split('\n').slice(1).join('; ').trim()
}
