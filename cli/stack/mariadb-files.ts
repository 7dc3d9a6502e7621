import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { LaunchError } from './messages.ts'
import { type InstalledProgram, mariadbShareFolder } from './packages.ts'
import { startChild, type UnixAccount } from './processes.ts'

/**
 * The common first arguments of every private mariadbd.
 * @param tmpdir a separate folder: a starting server deletes in it what looks like its own leftovers
 */
export function baseArguments(
  program: InstalledProgram,
  datadir: string,
  tmpdir: string,
  account?: UnixAccount,
): string[] {
  const share = mariadbShareFolder(program) ?? join(program.base, 'share/mysql')
  return [
    '--no-defaults',
    // MariaDB refuses to run as root without this option.
    ...(process.getuid?.() === 0 && !account ? ['--user=root'] : []),
    `--basedir=${program.base}`,
    `--lc-messages-dir=${share}`,
    `--character-sets-dir=${join(share, 'charsets')}`,
    `--datadir=${datadir}`,
    `--tmpdir=${tmpdir}`,
    '--innodb-log-file-size=48M',
  ]
}

/**
 * The account that the server runs as when root starts it: the owner of existing data, or else mysql if it can reach the
 * folder. Undefined means the current user.
 */
export function serverAccount(datadir: string): UnixAccount | undefined {
  if (process.getuid?.() !== 0 || !existsSync('/etc/passwd')) return undefined
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name = '', , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
  if (existsSync(datadir)) {
    const owner = statSync(datadir).uid
    return owner === 0 ? undefined : accounts.find(account => account.uid === owner)
  }
  let isReachable = true
  for (let folder = dirname(resolve(datadir)); ; folder = dirname(folder)) {
    isReachable &&= (statSync(folder).mode & 0o001) !== 0
    if (folder === dirname(folder)) break
  }
  return isReachable ? accounts.find(account => account.name === 'mysql') : undefined
}

/** The SQL for the server's own tables, without password-less root accounts. */
function systemTables(program: InstalledProgram): string {
  const share = mariadbShareFolder(program)
  if (!share) throw new LaunchError(`The SQL files of MariaDB are missing under ${program.base}/share.`)
  const read = (name: string) => {
    const path = ['mysql', 'mariadb'].map(prefix => join(share, `${prefix}_${name}.sql`)).find(existsSync)
    return path ? readFileSync(path, 'utf8') : ''
  }
  const data = read('system_tables_data')
    .split('\n')
    .filter(line => !line.includes('@current_hostname'))
  return [
    'create database if not exists mysql;\nuse mysql;\nSET @auth_root_socket=NULL;',
    read('system_tables'),
    read('performance_tables'),
    ...data,
    "delete from global_priv where User in ('root', '');",
    "delete from proxies_priv where User in ('root', '');",
    '',
  ].join('\n')
}

/**
 * Creates an empty database folder by feeding the server its own SQL: mariadb-install-db is in a separate package, and
 * slower. A new folder is renamed at the end, so that an interrupted start leaves no partial one.
 */
export async function createDatabaseFolder(
  program: InstalledProgram,
  datadir: string,
  account?: UnixAccount,
): Promise<void> {
  if (existsSync(datadir)) return
  const newFolder = `${datadir}.new`
  rmSync(newFolder, { recursive: true, force: true })
  mkdirSync(newFolder, { mode: 0o700 })
  if (account) chownSync(newFolder, account.uid, account.gid)
  const child = startChild({
    command: program.path,
    args: [...baseArguments(program, newFolder, newFolder, account), '--bootstrap', '--max_allowed_packet=8M'],
    env: process.env,
    stdio: ['pipe', 'pipe', 'pipe'],
    account,
  })
  let output = ''
  child.stdout?.on('data', chunk => (output += chunk))
  child.stderr?.on('data', chunk => (output += chunk))
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(systemTables(program))
  const code = await new Promise<number | null>(resolve => {
    child.on('error', () => resolve(127))
    child.on('close', resolve)
  })
  if (code !== 0) {
    throw new LaunchError(`MariaDB could not create its data in ${datadir}:\n${output.trim().slice(-1500)}`)
  }
  renameSync(newFolder, datadir)
}
