import { createPrivateKey, X509Certificate } from 'node:crypto'
import { isIP } from 'node:net'
import { createSecureContext } from 'node:tls'
import { z } from 'zod'
import { ConfigError, type Environment, readSettings } from './config.ts'

/** Options of a TLS connection; Node's own CAs where none is named. */
type Tls = { ca?: string; cert?: string; key?: string }

/** For an IP address, drivers check the certificate against "localhost", so any machine's would do. */
const numbered = 'names the server by an IP address, against which no certificate can be verified: use its host name'

/** An address of a database. ?ssl=true demands TLS, which is always verified. */
export const databaseAddress = addressOf(databaseFault)

/** Comma-separated addresses of the broker. tls:// demands TLS; nats:// does what the broker demands. */
export const brokerAddress = addressOf(brokerFault)

function addressOf(faultOf: (text: string) => string | undefined) {
  return z.string({ error: 'is required' }).superRefine((text, context) => {
    const fault = faultOf(text)
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
}

function databaseFault(text: string): string | undefined {
  if (!text.startsWith('mysql://') || !URL.canParse(text)) return 'must be an address mysql://…'
  const { searchParams, hostname } = new URL(text)
  for (const [name, value] of searchParams) {
    // The driver ignores unknown names, ssl-mode=REQUIRED among them, and continues without TLS.
    if (name !== 'ssl' && /ssl|tls/i.test(name)) return `has ?${name}=, which is ignored: use ?ssl=true for TLS`
    if (name === 'ssl' && value !== 'true' && value !== 'false')
      return 'must be ?ssl=true (TLS, always verified) or ?ssl=false; set a private CA in DATABASE_CA'
  }
  return demandsTls(text) && isNumbered(hostname) ? numbered : undefined
}

function brokerFault(text: string): string | undefined {
  const parts = text.split(',').map(part => part.trim())
  if (!/^(nats|tls):\/\//.test(text)) return 'must be an address nats://… or tls://…'
  if (!parts.every(part => /^(nats|tls):\/\//.test(part) && URL.canParse(part)))
    return 'must have nats:// or tls:// before every host'
  return demandsTls(text) && parts.some(part => isNumbered(new URL(part).hostname)) ? numbered : undefined
}

const isNumbered = (hostname: string): boolean => isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0

/** Whether an address of a database or the broker accepts only TLS. */
export const demandsTls = (address: string): boolean =>
  address.startsWith('mysql:')
    ? new URL(address).searchParams.getAll('ssl').includes('true')
    : address.split(',').some(part => part.trim().startsWith('tls:'))

const readable = (kind: string, read: (text: string) => unknown) =>
  z.string().refine(text => {
    try {
      read(text)
      return true
    } catch {
      return false
    }
  }, `is not a ${kind} in PEM format`)
const certificate = readable('certificate', text => new X509Certificate(text)).optional()
const privateKey = readable('private key without a passphrase', createPrivateKey).optional()

/** The certificate settings; undefined where none is set. */
const readTlsSettings = {
  DATABASE(env: Environment): Tls {
    const shape = { DATABASE_CA: certificate, DATABASE_CERT: certificate, DATABASE_KEY: privateKey }
    const { DATABASE_CA: ca, DATABASE_CERT: cert, DATABASE_KEY: key } = readSettings(env, '', shape)
    return tlsOf(ca, cert, key)
  },
  NATS(env: Environment): Tls {
    const shape = { NATS_CA: certificate, NATS_CERT: certificate, NATS_KEY: privateKey }
    const { NATS_CA: ca, NATS_CERT: cert, NATS_KEY: key } = readSettings(env, '', shape)
    return tlsOf(ca, cert, key)
  },
}

const tlsOf = (ca?: string, cert?: string, key?: string): Tls => ({
  ...(ca === undefined ? {} : { ca }),
  ...(cert === undefined ? {} : { cert }),
  ...(key === undefined ? {} : { key }),
})

/**
 * TLS options for a connection to an address; undefined where the address doesn't demand TLS. Certificates for such an
 * address are refused: a mistake would go on in clear text.
 */
export function tlsFor(address: string, kind: 'DATABASE' | 'NATS', env: Environment = process.env): Tls | undefined {
  const tls = readTlsSettings[kind](env)
  const [set] = Object.keys(tls)
  if (demandsTls(address)) {
    if ((tls.cert === undefined) !== (tls.key === undefined))
      throw new ConfigError(`${kind}_CERT and ${kind}_KEY must be set together`)
    try {
      createSecureContext(tls)
    } catch {
      throw new ConfigError(`${kind}_CERT and ${kind}_KEY do not match`)
    }
    return tls
  }
  if (set === undefined || (kind === 'DATABASE' && new URL(address).searchParams.has('ssl'))) return undefined
  const remedy = kind === 'DATABASE' ? '?ssl=true at its end' : 'tls:// at its start'
  throw new ConfigError(
    `${kind}_${set.toUpperCase()} is set, but the address of ${hostsOf(address)} does not enable TLS; add ${remedy}`,
  )
}

/** The hosts of an address, without credentials. A database's password may contain commas. */
export const hostsOf = (address: string): string =>
  (address.startsWith('mysql:') ? [address] : address.split(',')).map(part => new URL(part.trim()).host).join(', ')

/** Why a server was refused under TLS, in terms of the settings. Undefined for every other error. */
export function tlsProblem(error: unknown, address: string, kind: 'DATABASE' | 'NATS'): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code = '' } = error as NodeJS.ErrnoException
  const hosts = hostsOf(address)
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT' || (code === 'SERVER_OPT_NA' && error.message === 'tls'))
    return `${hosts} does not offer TLS, which its address requires`
  if (/altnames|certificate's CN|cert's CN/.test(error.message))
    return `${hosts} presents a certificate of another host: its address must use a name in that certificate`
  if (code !== 'HANDSHAKE_SSL_ERROR' && !/^(UNABLE_TO_|CERT_|SELF_SIGNED_|DEPTH_ZERO_|ERR_(SSL|TLS)_)/.test(code))
    return undefined
  // Node adds advice about CAs; the settings replace it here.
  const [reason] = error.message.split('; if the root CA')
  if (/certificate/.test(error.message))
    return `${hosts} presents an untrusted certificate, ${reason}: set ${kind}_CA to the trusted CAs`
  return `${hosts}: the TLS connection failed, ${reason}`
}
