import { type ServiceName, serviceNames } from '../../base/service-names.ts'
import { editDistance } from '../../base/text.ts'
import { type Environment, readSetting } from '../config.ts'
import { isProduction } from '../mode.ts'
import { documentedSettings } from './documented.ts'

const secrets = ['JWT_ACCESS_SECRET', 'JWT_REFRESH_SECRET', 'PASSWORD_ENCRYPTION_KEY', 'SERVICE_API_KEY'] as const

/** One line for each setting that is accepted and probably wrong: what it is and what to do. Never a value. */
export function settingWarnings(env: Environment, hostedServices: ReadonlySet<ServiceName>): string[] {
  const unused = unusedSettings(env, hostedServices)
  return [
    ...(unused.length > 0 ? [`settings without effect on this process: ${unused.join(', ')}`] : []),
    ...misspelt(env),
    ...besideFiles(env),
    ...equalSecrets(env),
    ...missingMail(env, hostedServices),
  ]
}

function misspelt(env: Environment): string[] {
  const settingNames = knownSettings()
  const isKnown = (name: string) => settingNames.has(name) || settingNames.has(name.replace(/^[A-Z]+_/, ''))
  return Object.keys(env).flatMap(set => {
    const name = set.replace(/_FILE$/, '')
    if (!env[set] || !/^[A-Z][A-Z0-9_]{5,}$/.test(name) || isKnown(name)) return []
    const maxDistance = name.length < 12 ? 1 : 2
    const similar = [...settingNames].find(candidate => editDistance(name, candidate, maxDistance) <= maxDistance)
    return similar ? [`${set} is no setting; did you mean ${set.replace(name, similar)}?`] : []
  })
}

const besideFiles = (env: Environment): string[] =>
  Object.keys(env).flatMap(file => {
    const name = file.replace(/_FILE$/, '')
    return name !== file && env[file] && env[name] ? [`${file} has no effect beside ${name}; remove one of them`] : []
  })

function equalSecrets(env: Environment): string[] {
  const values = secrets.map(name => readSetting(env, '', name))
  return secrets.flatMap((name, index) => {
    const first = values.indexOf(values[index])
    return values[index] !== undefined && first < index
      ? [`${name} has the value of ${secrets[first]}; give it its own: openssl rand -hex 32`]
      : []
  })
}

function missingMail(env: Environment, hostedServices: ReadonlySet<ServiceName>): string[] {
  const isSet = (name: string) => readSetting(env, 'NOTIFICATION', name) !== undefined
  if (!hostedServices.has('notification') || !isProduction(env) || isSet('SMTP_URL') || isSet('EMAIL_API_KEY'))
    return []
  return ['no mail is sent, neither invitations nor resets: set SMTP_URL, or EMAIL_API_KEY']
}

let names: ReadonlySet<string> | undefined
/** The names of the settings. Without .env.example nothing counts as misspelt. */
const knownSettings = () => (names ??= new Set(documentedSettings().map(({ name }) => name)))

/** Documented names without effect: services call each other by RPC, and events name their subjects. */
const never = [
  'AUTH_API_URL',
  'MEMBER_API_URL',
  'MEDIA_API_URL',
  'NOTIFICATION_API_URL',
  'AUTH_SERVICE_API_KEY',
  'MEMBER_SERVICE_API_KEY',
  'MEDIA_SERVICE_API_KEY',
]
const withPrefixes = (setting: string): string[] => [
  setting,
  ...serviceNames.map(name => `${name.toUpperCase()}_${setting}`),
]

/**
 * The documented settings that are set but have no effect on a process: those of another design, those of a consumer it
 * doesn't host, and PORT where it serves several services or is the edge, whose ports have their own names.
 */
function unusedSettings(env: Environment, hostedServices: ReadonlySet<ServiceName>): string[] {
  const consumes = hostedServices.has('notification')
  const queues = ['AMQP_QUEUE_NAME', 'AMQP_ROUTING_KEYS'].flatMap(setting =>
    withPrefixes(setting).filter(name => !consumes || (name !== setting && name !== `NOTIFICATION_${setting}`)),
  )
  const ports = hostedServices.size === 1 ? [] : ['PORT']
  return [...never, ...withPrefixes('AMQP_ROUTING_KEY_BASE'), ...queues, ...ports].filter(name => env[name])
}
