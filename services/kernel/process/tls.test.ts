import { generateKeyPairSync } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { brokerConnection } from '../bus/address.ts'
import { databaseConnection, explainFailure } from '../database/connection.ts'
import { ConfigError } from './config.ts'
import { brokerAddress, databaseAddress, tlsFor } from './tls.ts'

// With real servers and certificates: test/operations/tls.test.ts.
const test = suite('TLS settings')
const faultOf = (schema: typeof databaseAddress, text: string) => schema.safeParse(text).error?.issues[0]?.message ?? ''

const [root = ''] = rootCertificates
const pem = '-----BEGIN CERTIFICATE-----\nbm90aGluZw==\n-----END CERTIFICATE-----'
const strange = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString()

test('a database address requests TLS in one form, and no form skips the verification', () => {
  for (const query of ['', '?ssl=true', '?ssl=false', '?charset=utf8mb4', '?ssl=true&connectTimeout=1000'])
    assert.is(faultOf(databaseAddress, `mysql://u:p,@db.example:3306/news${query}`), '', query)
  for (const query of ['{}', '{"rejectUnauthorized":false}', 'Amazon%20RDS', '1', ''])
    assert.match(faultOf(databaseAddress, `mysql://u:p@db.example/news?ssl=${query}`), 'must be ?ssl=true', query)
  for (const name of ['ssl-mode', 'sslmode', 'useSSL', 'tls', 'ssl_ca'])
    assert.match(
      faultOf(databaseAddress, `mysql://u:p@db.example/news?${name}=REQUIRED`),
      `has ?${name}=, which is ignored`,
    )
  for (const text of ['postgres://u:p@db', 'mysql://u:p@db:port', ''])
    assert.is(faultOf(databaseAddress, text), 'must be an address mysql://…')
})

test('a broker address demands TLS by its scheme', () => {
  for (const text of ['nats://u:p@127.0.0.1:4222', 'tls://u:p@nats.example', 'tls://a:4222, tls://b:4222'])
    assert.is(faultOf(brokerAddress, text), '', text)
  for (const text of ['amqp://nats:4222', 'nats.example:4222'])
    assert.is(faultOf(brokerAddress, text), 'must be an address nats://… or tls://…')
  assert.is(faultOf(brokerAddress, 'tls://a:4222,b:4222'), 'must have nats:// or tls:// before every host')
  assert.equal(brokerConnection('tls://u:p%40@a:4222,nats://b:4222'), {
    servers: ['a:4222', 'b:4222'],
    user: 'u',
    pass: 'p@',
    tls: {},
  })
  assert.equal(brokerConnection('nats://a:4222'), { servers: ['a:4222'] })
})

test('a server addressed by IP cannot be verified against its certificate', () => {
  for (const host of ['10.0.0.7', '[fd00::7]']) {
    assert.is(faultOf(databaseAddress, `mysql://u:p@${host}/news`), '')
    assert.match(faultOf(databaseAddress, `mysql://u:p@${host}/news?ssl=true`), 'use its host name')
    assert.is(faultOf(brokerAddress, `nats://${host}`), '')
    assert.match(faultOf(brokerAddress, `tls://nats.example,tls://${host}`), 'use its host name')
    assert.throws(
      () => databaseConnection(`mysql://u:p@${host}:3306/news?ssl=true`),
      (error: Error) =>
        error instanceof ConfigError && !error.message.includes('u:p') && error.message.includes(':3306'),
    )
  }
})

test('a refused server is reported with its host, the reason and the setting, without the user', () => {
  const createError = (message: string, code: string) => Object.assign(new Error(message), { code, cert: {} })
  const explainError = (message: string, code = 'HANDSHAKE_SSL_ERROR') =>
    explainFailure(createError(message, code), 'mysql://u:p,q@db.example:3306/news?ssl=true')
  const strange = explainError('unable to verify the first certificate; if the root CA is installed locally, try …')
  const explanation =
    'db.example:3306 presents an untrusted certificate, unable to verify the first certificate: set DATABASE_CA to the trusted CAs'
  assert.equal([strange.message, 'cert' in strange], [explanation, false])
  assert.ok(strange.stack?.startsWith(`Error: ${explanation}`))
  assert.match(
    explainError("Hostname/IP does not match certificate's altnames").message,
    /^db.example:3306 presents .* another host/,
  )
  assert.is(explainError('read ECONNRESET').message, 'db.example:3306: the TLS connection failed, read ECONNRESET')
  assert.is(explainError('connect ECONNREFUSED', 'ECONNREFUSED').message, 'connect ECONNREFUSED')
})

test('certificates are read at start, and are refused where they would be unused', () => {
  const { ca } = tlsFor('tls://nats', 'NATS', { NATS_CA: root }) ?? {}
  assert.is(ca, root)
  assert.is(tlsFor('nats://nats', 'NATS', { DATABASE_CA: root }), undefined)
  assert.is(tlsFor('mysql://db/news?ssl=false', 'DATABASE', { DATABASE_CA: root }), undefined)
  const refusedSettings: [string, 'DATABASE' | 'NATS', Record<string, string>, RegExp][] = [
    ['mysql://u:p@db/news', 'DATABASE', { DATABASE_CA: root }, /^DATABASE_CA is set, but the address of db does not/],
    ['nats://u:p@nats', 'NATS', { NATS_CA: root }, /^NATS_CA is set, but the address of nats does not enable TLS/],
    ['mysql://db/news?ssl=true', 'DATABASE', { DATABASE_CA: pem }, /DATABASE_CA: is not a certificate in PEM format$/],
    ['tls://nats', 'NATS', { NATS_KEY: pem }, /NATS_KEY: is not a private key without a passphrase in PEM format$/],
    ['tls://nats', 'NATS', { NATS_CERT: root }, /^NATS_CERT and NATS_KEY must be set together$/],
    ['tls://nats', 'NATS', { NATS_CERT: root, NATS_KEY: strange }, /^NATS_CERT and NATS_KEY do not match$/],
    ['tls://nats', 'NATS', { NATS_CA_FILE: '/nowhere/ca' }, /NATS_CA_FILE: the file cannot be read \(ENOENT\)$/],
  ]
  for (const [address, kind, env, reason] of refusedSettings)
    assert.throws(
      () => tlsFor(address, kind, env),
      (error: Error) => error instanceof ConfigError && reason.test(error.message),
    )
})

test.run()
