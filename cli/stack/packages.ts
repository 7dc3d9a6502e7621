import { accessSync, constants, existsSync, mkdirSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { installAsRoot, unpackAsUser } from './apt.ts'
import { LaunchError, messageOf } from './errors.ts'
import type { Print } from './services.ts'

/** A server program found on the machine or unpacked under the data folder. */
export type Program = {
  path: string
  /** Its installation prefix: /usr, or the unpacked tree's usr. */
  base: string
  env: NodeJS.ProcessEnv
}

const wanted = {
  mariadbd: { title: 'MariaDB', package: 'mariadb-server-core' },
  'nats-server': { title: 'NATS', package: 'nats-server' },
}

export type ProgramName = keyof typeof wanted

export type Search = {
  names: ProgramName[]
  /** Where packages are unpacked when they can't be installed. */
  folder: string
  print: Print
  /** Use only unpacked packages: neither search the machine nor install there. */
  onlyUnpacked?: boolean
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folder with MariaDB's SQL for its own tables and its messages; its name differs between versions. */
export function shareOf(program: Program): string | undefined {
  const folders = ['share/mysql', 'share/mariadb'].map(name => join(program.base, name))
  return folders.find(folder =>
    ['mysql', 'mariadb'].some(prefix => existsSync(join(folder, `${prefix}_system_tables.sql`))),
  )
}

function onMachine(name: ProgramName): Program | undefined {
  // Some users' PATH lacks the system folders with servers.
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin']
  for (const folder of folders) {
    const path = join(folder, name)
    if (!folder || !executable(path)) continue
    const real = realpathSync(path)
    const program = { path: real, base: dirname(dirname(real)), env: {} }
    if (name !== 'mariadbd' || shareOf(program)) return program
  }
  return undefined
}

function unpacked(name: ProgramName, folder: string): Program | undefined {
  const base = join(folder, 'usr')
  const path = ['sbin', 'bin'].map(bin => join(base, bin, name)).find(executable)
  if (!path) return undefined
  const libraries = [join(folder, 'lib'), join(base, 'lib')].flatMap(lib =>
    existsSync(lib)
      ? readdirSync(lib)
          .filter(entry => entry.includes('-linux-'))
          .map(entry => join(lib, entry))
      : [],
  )
  const search = [...libraries, process.env['LD_LIBRARY_PATH']].filter(Boolean).join(delimiter)
  return { path, base, env: { LD_LIBRARY_PATH: search } }
}

/** An installed server program; nothing is fetched. */
export const presentProgram = (name: ProgramName, folder: string): Program | undefined =>
  onMachine(name) ?? unpacked(name, folder)

/**
 * Finds the server programs and fetches missing ones: as root, installed by the system's package manager; otherwise
 * downloaded by it and unpacked under the data folder; else throws a message that says what to do.
 */
export async function findPrograms(search: Search): Promise<Partial<Record<ProgramName, Program | undefined>>> {
  const { names, folder, print, onlyUnpacked = false } = search
  const find = (name: ProgramName) => (onlyUnpacked ? undefined : onMachine(name)) ?? unpacked(name, folder)
  const missing = () => names.filter(name => !find(name))
  const reasons: string[] = []

  const attempts = [
    { when: process.getuid?.() === 0 && !onlyUnpacked, how: 'installing', run: installAsRoot },
    { when: true, how: 'downloading', run: unpackAsUser },
  ]
  for (const { when, how, run } of attempts) {
    const packages = missing().map(name => wanted[name].package)
    if (!when || packages.length === 0) continue
    const began = Date.now()
    print(`${how} ${packages.join(' and ')} …`)
    try {
      mkdirSync(folder, { recursive: true })
      await run(packages, folder)
      print(`${how} took ${((Date.now() - began) / 1000).toFixed(1)} s`)
    } catch (error) {
      reasons.push(messageOf(error))
    }
  }

  const still = missing()
  if (still.length > 0) throw new LaunchError(advice(still, reasons))
  return Object.fromEntries(names.map(name => [name, find(name)]))
}

function advice(names: ProgramName[], reasons: string[]): string {
  const what = names.map(name => `${wanted[name].title} (${name})`).join(' and ')
  const packages = names.map(name => wanted[name].package).join(' ')
  const why = reasons.length > 0 ? ` and could not be downloaded:\n  ${reasons.join('\n  ')}\n` : '.\n'
  return (
    `${what} ${names.length > 1 ? 'are' : 'is'} not installed${why}` +
    'Do one of the following, then start again:\n' +
    `  - install as an administrator:  sudo apt-get update && sudo apt-get install --no-install-recommends ${packages}\n` +
    '  - run in containers:            docker compose up\n' +
    '  - use your own servers:         DATABASE_URL=mysql://user:password@host:3306 AMQP_GATEWAY_URL=nats://host:4222 npm start'
  )
}
