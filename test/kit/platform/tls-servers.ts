import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createConnection } from 'node:net'
import { join } from 'node:path'
import { baseArguments, createDatabaseFolder } from '../../../cli/stack/mariadb-files.ts'
import { installedProgram, type ProgramName } from '../../../cli/stack/packages.ts'
import { startChild } from '../../../cli/stack/processes.ts'
import { eventually } from '../kit.ts'
import { endChild } from '../process.ts'
import type { CertificateFiles } from './certificates.ts'
import { freePorts } from './ports.ts'

/** A server on the loopback (`localhost`), always at the same port. */
export type TlsServer = {
  port: number
  /** Restarts with these certificates, or with none. */
  start(certificate?: CertificateFiles): Promise<void>
  kill(): Promise<void>
}

export const databaseLogin = 'tls:a-password-of-the-test'
export const brokerLogin = 'tls:another-password-of-the-test'

function program(name: ProgramName) {
  const installation = installedProgram(name)
  if (!installation) throw new Error(`there is no ${name} on this machine`)
  return installation
}

async function server(spawnServer: (port: number, certificate?: CertificateFiles) => ChildProcess): Promise<TlsServer> {
  const [port = 0] = await freePorts(1)
  let child: ChildProcess | undefined
  const kill = () => endChild(child)
  process.once('exit', () => child?.kill('SIGKILL'))
  const start = async (certificate?: CertificateFiles) => {
    await kill()
    const serverProcess = spawnServer(port, certificate)
    child = serverProcess
    await eventually(() => serverProcess.exitCode !== null || answers(port), 60_000)
    if (serverProcess.exitCode !== null) throw new Error(`the server ended with ${serverProcess.exitCode}`)
  }
  return { port, start, kill }
}

const answers = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = createConnection(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/**
 * MariaDB that, given a certificate, accepts only TLS. `holder` must also present a client certificate of the
 * authority.
 */
export async function tlsMariadb(folder: string, authority: CertificateFiles): Promise<TlsServer> {
  const mariadbd = program('mariadbd')
  const home = join(folder, 'mariadb')
  mkdirSync(home)
  await createDatabaseFolder(mariadbd, join(home, 'data'))
  const [name = '', password = ''] = databaseLogin.split(':')
  const account = (user: string, requirement: string) => [
    `create user if not exists '${user}'@'127.0.0.1' identified by '${password}'${requirement};`,
    `grant all privileges on *.* to '${user}'@'127.0.0.1' with grant option;`,
  ]
  writeFileSync(join(home, 'init.sql'), [...account(name, ''), ...account('holder', ' require x509'), ''].join('\n'))
  return server((port, certificate) => {
    const tls = certificate
      ? [
          '--require-secure-transport=ON',
          `--ssl-cert=${certificate.cert}`,
          `--ssl-key=${certificate.key}`,
          `--ssl-ca=${authority.cert}`,
        ]
      : ['--skip-ssl']
    const args = [
      ...baseArguments(mariadbd, join(home, 'data'), home),
      `--socket=${join(home, 's')}`,
      `--pid-file=${join(home, 'pid')}`,
      `--init-file=${join(home, 'init.sql')}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--skip-name-resolve',
      '--character-set-server=utf8mb4',
      '--collation-server=utf8mb4_unicode_ci',
      '--max-connections=600',
      '--innodb-flush-log-at-trx-commit=0',
      ...tls,
    ]
    return startChild({ command: mariadbd.path, args, env: process.env, stdio: 'ignore' })
  })
}

/** NATS with JetStream. Given an authority, it also requires a client certificate. */
export function tlsNats(folder: string, name: string, authority?: CertificateFiles): Promise<TlsServer> {
  const nats = program('nats-server')
  const [user = '', password = ''] = brokerLogin.split(':')
  return server((port, certificate) => {
    const clients = authority ? `, ca_file: ${JSON.stringify(authority.cert)}, verify: true` : ''
    const config = join(folder, `${name}.conf`)
    writeFileSync(
      config,
      [
        `listen: "127.0.0.1:${port}"`,
        `jetstream { store_dir: ${JSON.stringify(join(folder, name))} }`,
        `authorization { users: [{ user: ${user}, password: "${password}" }] }`,
        certificate
          ? `tls { cert_file: ${JSON.stringify(certificate.cert)}, key_file: ${JSON.stringify(certificate.key)}${clients} }`
          : '',
      ].join('\n'),
    )
    return spawn(nats.path, ['-c', config], { stdio: 'ignore' })
  })
}
