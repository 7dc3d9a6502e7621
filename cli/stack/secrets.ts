import { createECDH, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LaunchError } from './messages.ts'

const token = (bytes = 24) => randomBytes(bytes).toString('base64url')

/** A password for typing, without characters that look alike. */
export function typeablePassword(): string {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
  const part = () => Array.from(randomBytes(5), byte => letters[byte % letters.length]).join('')
  return `${part()}-${part()}-${part()}-A1`
}

const generators = {
  databaseAdmin: token,
  /** The services' account passwords are derived from this one. */
  databaseSeed: token,
  nats: token,
  JWT_ACCESS_SECRET: () => token(48),
  JWT_REFRESH_SECRET: () => token(48),
  PASSWORD_ENCRYPTION_KEY: () => randomBytes(32).toString('hex'),
  SERVICE_API_KEY: () => token(32),
  BOOTSTRAP_ADMIN_PASSWORD: typeablePassword,
  VAPID_PRIVATE_KEY: () => webPushKeys().VAPID_PRIVATE_KEY,
}

/**
 * The keys of web push, in the form of its settings. Browsers are subscribed with the public one.
 * @param privateKey for which to compute the public key; a new one by default
 */
export function webPushKeys(privateKey?: string): { VAPID_PUBLIC_KEY: string; VAPID_PRIVATE_KEY: string } {
  const pair = createECDH('prime256v1')
  if (privateKey) pair.setPrivateKey(privateKey, 'base64url')
  else pair.generateKeys()
  // Without leading zeros, the key would be too short.
  const VAPID_PRIVATE_KEY =
    privateKey ?? Buffer.from(pair.getPrivateKey('hex').padStart(64, '0'), 'hex').toString('base64url')
  return { VAPID_PUBLIC_KEY: pair.getPublicKey('base64url'), VAPID_PRIVATE_KEY }
}

/** The secrets that `platform keys` rotates, with their next and previous values. */
export const rotatableSecrets = [
  'JWT_ACCESS_SECRET',
  'JWT_REFRESH_SECRET',
  'PASSWORD_ENCRYPTION_KEY',
  'SERVICE_API_KEY',
] as const
export type RotatableSecret = (typeof rotatableSecrets)[number]

export type Secrets = Record<keyof typeof generators, string> &
  Partial<Record<`${RotatableSecret}_PREVIOUS` | `${RotatableSecret}_NEXT`, string>>

/** A new value for a secret. */
export const newSecret = (name: RotatableSecret): string => generators[name]()

/** The secrets of a data folder; undefined before the first start. */
export function storedSecrets(dataDir: string): Secrets | undefined {
  return existsSync(join(dataDir, 'secrets.json')) ? loadSecrets(dataDir) : undefined
}

/**
 * The secrets of a data folder, generated once and stored in secrets.json, readable only by the owner. A secret added
 * by a later version is generated when first needed.
 */
export function loadSecrets(dataDir: string): Secrets {
  const file = join(dataDir, 'secrets.json')
  let savedSecrets: Partial<Secrets> = {}
  if (existsSync(file)) {
    try {
      savedSecrets = JSON.parse(readFileSync(file, 'utf8'))
    } catch (error) {
      throw new LaunchError(
        `${file} cannot be read (${(error as Error).message}). Restore it: without it, encrypted data cannot be read.`,
      )
    }
  } else if (existsSync(join(dataDir, 'mariadb'))) {
    throw new LaunchError(
      `${dataDir} holds a database but no secrets.json. Without that file, encrypted data cannot be read.\n` +
        `Restore it from a backup, or remove the folder to start fresh.`,
    )
  }
  const entries = Object.entries(generators).map(([name, generate]) => [
    name,
    savedSecrets[name as keyof Secrets] ?? generate(),
  ])
  const secrets: Secrets = { ...savedSecrets, ...Object.fromEntries(entries) }
  if (Object.keys(secrets).some(name => !(name in savedSecrets))) {
    writeFileSync(`${file}.new`, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  }
  return secrets
}
