import { readFileSync } from 'node:fs'
import { z } from 'zod'

export type Environment = Record<string, string | undefined>

/** Thrown at start. Names every invalid setting, never a value. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

/**
 * Reads one setting of a service: PREFIX_NAME first, so that one process can host several services, then NAME. For
 * each, NAME_FILE names a file that holds the value.
 */
export function readSetting(env: Environment, prefix: string, name: string): string | undefined {
  for (const key of prefix ? [`${prefix}_${name}`, name] : [name]) {
    if (env[key]) return env[key]
    const file = env[`${key}_FILE`]
    if (file) return contentOf(file, `${key}_FILE`)
  }
  return undefined
}

function contentOf(file: string, key: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(
      `invalid settings:\n  ${key}: the file cannot be read (${(error as NodeJS.ErrnoException).code})`,
    )
  }
}

/**
 * The settings of a service, checked once at start.
 * @param prefix of the service's own variables, such as MEMBER
 * @param shape a zod schema for each documented name
 */
export function readSettings<Shape extends z.ZodRawShape>(
  env: Environment,
  prefix: string,
  shape: Shape,
): z.infer<z.ZodObject<Shape>> {
  const raw = Object.fromEntries(Object.keys(shape).map(name => [name, readSetting(env, prefix, name)]))
  const result = z.object(shape).safeParse(raw)
  if (result.success) return result.data
  const faults = result.error.issues.map(issue => {
    const name = issue.path.join('.')
    return `${prefix ? `${prefix}_${name} or ` : ''}${name}: ${issue.message}`
  })
  throw new ConfigError(`invalid settings:\n  ${faults.join('\n  ')}`)
}

/** A whole number in text, with bounds. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^-?\d+$/, 'must be a whole number')
    .transform(Number)
    .refine(n => n >= min && n <= max, `must be from ${min} to ${max}`)

/** Placeholders from examples: <JWT_SECRET>, change-me…, your-secret-here, one repeated character. */
const example =
  /^(<.*>$|(change|replace)[-_ ]?(me|this)|your[-_ ]|example|insert[-_ ]|to[-_ ]?do[-_ ]|x{4}|(?<one>.)\k<one>*$)/i

/** A secret of at least 16 characters that isn't a placeholder. */
export const secret = secretOf(16)

/** The documented key for stored secrets: at least 32 characters. */
export const storageKey = secretOf(32)

/**
 * The accepted values of a secret, the current one first. There are two during a rotation (`platform keys`): the next
 * one is accepted everywhere before its first use, the previous one until everything made with it has ended [D125].
 */
export const liveKeys = (current: string, previous: string | undefined, next: string | undefined): string[] =>
  [current, previous, next].filter(value => value !== undefined)

type StorageKeys = Record<'PASSWORD_ENCRYPTION_KEY', string> &
  Partial<Record<'PASSWORD_ENCRYPTION_KEY_PREVIOUS' | 'PASSWORD_ENCRYPTION_KEY_NEXT', string | undefined>>

/** Like `liveKeys`, for the key of stored secrets. */
export const storageKeysOf = (config: StorageKeys): string[] =>
  liveKeys(config.PASSWORD_ENCRYPTION_KEY, config.PASSWORD_ENCRYPTION_KEY_PREVIOUS, config.PASSWORD_ENCRYPTION_KEY_NEXT)

/** The public key of web push, which browsers get. */
export const vapidPublicKey = z
  .string()
  .regex(/^B[\w-]{86}$/, 'must be a VAPID public key, see `npx web-push generate-vapid-keys`')

function secretOf(length: number) {
  return z
    .string({ error: 'is required' })
    .min(length, `must have at least ${length} characters`)
    .refine(text => !example.test(text), 'still has its example value')
}

/** An address with one of the given schemes. */
export const address = (...schemes: string[]) =>
  z
    .string({ error: 'is required' })
    .refine(
      text => schemes.some(scheme => text.startsWith(`${scheme}://`)),
      `must be an address ${schemes.map(s => `${s}://…`).join(' or ')}`,
    )
