import { z } from 'zod'
import { type ServiceName, serviceNames } from '../../base/service-names.ts'
import { ConfigError, type Environment, readSetting, readSettings } from '../config.ts'
import { isProduction } from '../mode.ts'
import { demandsTls } from '../tls.ts'

/** What ALLOW_IN_PRODUCTION may list. */
const risks = ['development-secrets', 'open-cors', 'sandbox'] as const
type Risk = (typeof risks)[number]

/** Processes whose mails and answers hold links to the front end. The edge hosts no service. */
const linking: readonly ServiceName[] = ['auth', 'member', 'hotel', 'notification']

const ownSecrets = /(^|_)(JWT_ACCESS_SECRET|JWT_REFRESH_SECRET|PASSWORD_ENCRYPTION_KEY|SERVICE_API_KEY)(_NEXT)?$/
const providerKeys = /(^|_)(API_KEY|REST_KEY|ORGANIZATION_TOKEN|PAYMENT_SECRET_KEY|PAYMENT_WEBHOOK_SECRET)$/
const providerAddresses =
  /(^|_)((EMAIL|ONESIGNAL|FCM|CHAT|STRIPE|WEATHER)_BASE_URL|FCM_TOKEN_URL|SMTP_URL|WEB_PUSH_SERVICES)$/
const databases = /^(?!BACKUP_)([A-Z]+_)*DATABASE_URL$/

/** Words that a generated value doesn't hold; short ones between separators only. */
const developmentWord =
  /development|password|secret|example|sandbox|default|hotel|platform|(^|[-_. ])(dev|test|demo|local|admin)([-_. ]|$)/i
/** A generated value has more; `abcabcabc` has three. */
const fewestCharacters = 6

/**
 * Refuses a start in production with settings of a development machine, one line for each [D547]. Throws a
 * {@link ConfigError}.
 */
export function assertProduction(env: Environment, hostedServices: ReadonlySet<ServiceName>): void {
  if (!isProduction(env)) return
  const { ALLOW_IN_PRODUCTION: allowedRisks } = readSettings(env, '', {
    ALLOW_IN_PRODUCTION: z
      .string()
      .default('')
      .transform(text => text.split(',').flatMap(part => part.trim() || []))
      .pipe(z.array(z.enum(risks, `may list ${risks.join(', ')}`))),
  })
  const lines = Object.keys(env).flatMap(key => {
    const name = key.replace(/_FILE$/, '')
    const value = env[key] && readSetting(env, '', name)
    if (!value) return []
    const [risk, problem] = problemOf(name, value) ?? []
    if (problem === undefined || (risk && allowedRisks.includes(risk))) return []
    return [`${name}: ${problem}${risk ? `, or add ${risk} to ALLOW_IN_PRODUCTION` : ''}`]
  })
  const faults = [...missingLinks(env, hostedServices), ...new Set(lines)]
  if (faults.length > 0) throw new ConfigError(`invalid settings:\n  ${faults.join('\n  ')}`)
}

/** Why production refuses a value, and the name under which it may be allowed. Shows no secret. */
function problemOf(name: string, value: string): [Risk | undefined, string] | undefined {
  if (ownSecrets.test(name) && (developmentWord.test(value) || new Set(value).size < fewestCharacters))
    return ['development-secrets', 'is a value for development; set it to the output of `openssl rand -hex 32`']
  if (name === 'CORS_ORIGINS' && value.split(',').some(origin => origin.trim() === '*'))
    return ['open-cors', '* lets the pages of all sites call; list the origins of yours']
  if (providerKeys.test(name) && /sandbox/i.test(value))
    return ['sandbox', "is the sandbox's; set the one of the provider"]
  if (providerAddresses.test(name) && isStandIn(value))
    return ['sandbox', `${hostOf(value)} is a stand-in, without TLS; remove it or name the provider's address`]
  if (databases.test(name) && isPlainElsewhere(value))
    return [
      undefined,
      `${hostOf(value)} is another host, and the address asks for no TLS; add ?ssl=true, or ?ssl=false on a private network`,
    ]
  return undefined
}

const isStandIn = (address: string): boolean => /^http:|^smtps?:\/\/([^@/]*@)?sandbox(:|\/|$)/.test(address)

const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).host : 'its host')

function isPlainElsewhere(address: string): boolean {
  if (!URL.canParse(address) || demandsTls(address)) return false
  const { hostname, searchParams } = new URL(address)
  return !searchParams.has('ssl') && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname)
}

function missingLinks(env: Environment, hostedServices: ReadonlySet<ServiceName>): string[] {
  const makesLinks = hostedServices.size === 0 || linking.some(name => hostedServices.has(name))
  const isSet = ['', ...serviceNames.map(name => name.toUpperCase())].some(prefix =>
    readSetting(env, prefix, 'FRONT_BASE_URL'),
  )
  return makesLinks && !isSet
    ? ['FRONT_BASE_URL: is required in production; mails would link to http://localhost:8080']
    : []
}
