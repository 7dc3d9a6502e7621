import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** Set by `npm test`, which installs openssl if it may: Node can't create certificates. */
const openssl = process.env['TEST_OPENSSL'] ?? 'openssl'

export type CertificateFiles = { cert: string; key: string }

const request = (name: string, { cert, key }: CertificateFiles): string[] => {
  const options = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  return [...options, '-subj', `/CN=${name}`, '-keyout', key, '-out', cert]
}
const place = (folder: string, name: string): CertificateFiles => ({
  cert: join(folder, `${name}.pem`),
  key: join(folder, `${name}.key`),
})
const run = (args: string[]) => execFileSync(openssl, args, { stdio: ['ignore', 'ignore', 'pipe'] })

/** A separate certificate authority, as files. */
export function makeAuthority(folder: string, name: string): CertificateFiles {
  const files = place(folder, name)
  run([...request(name, files), '-addext', 'basicConstraints=critical,CA:TRUE'])
  return files
}

/**
 * A certificate signed by an authority, as files.
 * @param subject in openssl's form: DNS:localhost
 */
export function makeCertificate(folder: string, name: string, by: CertificateFiles, subject: string): CertificateFiles {
  const files = place(folder, name)
  const authorityOptions = ['-CA', by.cert, '-CAkey', by.key, '-addext', 'basicConstraints=critical,CA:FALSE']
  run([...request(name, files), ...authorityOptions, '-addext', `subjectAltName=${subject}`])
  return files
}
