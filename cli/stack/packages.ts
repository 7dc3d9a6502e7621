import { execFile } from 'node:child_process'
import { accessSync, constants, existsSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { LaunchError, type Print, seconds } from './messages.ts'

/** A server program on this machine, and its installation prefix, such as /usr. */
export type InstalledProgram = { path: string; base: string }

/** What people know the programs as, and their Debian packages. */
const programs = {
  mariadbd: { title: 'MariaDB', package: 'mariadb-server-core' },
  'nats-server': { title: 'NATS', package: 'nats-server' },
}

export type ProgramName = keyof typeof programs

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The folder with MariaDB's SQL for its own tables and its messages; its name differs between versions. */
export function mariadbShareFolder(program: InstalledProgram): string | undefined {
  const folders = ['share/mysql', 'share/mariadb'].map(name => join(program.base, name))
  return folders.find(folder =>
    ['mysql', 'mariadb'].some(prefix => existsSync(join(folder, `${prefix}_system_tables.sql`))),
  )
}

// Some users' PATH lacks the system folders with servers.
const foldersOf = (path: string): string[] =>
  [...path.split(delimiter), '/usr/bin', '/usr/sbin', '/usr/local/sbin', '/opt/homebrew/bin'].filter(Boolean)

const pathsOf = (name: string): string[] =>
  foldersOf(process.env['PATH'] ?? '')
    .map(folder => join(folder, name))
    .filter(isExecutable)

/** The path of a program; undefined when it isn't installed. */
export const pathOf = (name: string): string | undefined => pathsOf(name)[0]

/** A server program of this machine, if it is installed. */
export const installedProgram = (name: ProgramName): InstalledProgram | undefined =>
  pathsOf(name)
    .map(path => realpathSync(path))
    .map(path => ({ path, base: dirname(dirname(path)) }))
    .find(program => name !== 'mariadbd' || mariadbShareFolder(program))

const aptEnvironment = {
  DEBIAN_FRONTEND: 'noninteractive',
  // Makes systemctl ignore the start requested by the nats-server package: the stack runs its own servers.
  SYSTEMD_OFFLINE: '1',
  LC_ALL: 'C',
}

/** Runs apt-get; resolves to the end of its output when it failed. */
const aptGet = (...args: string[]): Promise<string | undefined> =>
  promisify(execFile)('apt-get', ['-q', '-y', ...args], {
    env: { ...process.env, ...aptEnvironment },
    maxBuffer: 64 * 1024 * 1024,
  }).then(
    () => undefined,
    ({ code, stdout, stderr }) =>
      code === 'ENOENT' ? 'apt-get is not installed' : `${stdout}${stderr}`.trim().split('\n').slice(-3).join(' '),
  )

/** Matches a package also in older releases, which have the version in its name: mariadb-server-core-10.6. */
const patternOf = (name: string): string => `^${name}(-[0-9.]+)?$`

/**
 * Installs packages; when that fails, updates the package lists and tries again.
 * @returns why it failed; undefined on success
 */
export async function installPackages(packages: string[]): Promise<string | undefined> {
  const patterns = packages.map(patternOf)
  const attempt = () => aptGet('-o', 'DPkg::Lock::Timeout=120', '--no-install-recommends', 'install', ...patterns)
  if ((await attempt()) === undefined) return undefined
  return (await aptGet('update')) ?? attempt()
}

/**
 * Finds the server programs. As root it installs missing ones with the system's package manager; otherwise it throws a
 * message that says what to do.
 */
export async function findPrograms(
  names: ProgramName[],
  print: Print,
): Promise<Partial<Record<ProgramName, InstalledProgram | undefined>>> {
  const missingNames = () => names.filter(name => !installedProgram(name))
  let problem: string | undefined
  if (missingNames().length > 0 && process.getuid?.() === 0) {
    const packages = missingNames().map(name => programs[name].package)
    const startedAt = Date.now()
    print(`installing ${packages.join(' and ')} …`)
    problem = await installPackages(packages)
    if (!problem) print(`installing took ${seconds(Date.now() - startedAt)}`)
  }
  if (missingNames().length > 0) throw new LaunchError(adviceFor(missingNames(), problem))
  return Object.fromEntries(names.map(name => [name, installedProgram(name)]))
}

/** What to do about missing programs that could not be installed. */
export function adviceFor(names: ProgramName[], problem?: string): string {
  const titles = names.map(name => `${programs[name].title} (${name})`).join(' and ')
  const packages = names.map(name => `'${patternOf(programs[name].package)}'`).join(' ')
  return (
    `${titles} ${names.length > 1 ? 'are' : 'is'} not installed${problem ? `: ${problem}` : '.'}\n` +
    'Do one of the following, then start again:\n' +
    `  - install as an administrator:  sudo apt-get update && sudo apt-get install --no-install-recommends ${packages}\n` +
    '  - run in containers:            docker compose up\n' +
    '  - use your own servers:         DATABASE_URL=mysql://user:password@host:3306 AMQP_GATEWAY_URL=nats://host:4222 npm start'
  )
}
