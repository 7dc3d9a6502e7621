import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const quiet = {
  DEBIAN_FRONTEND: 'noninteractive',
  APT_LISTCHANGES_FRONTEND: 'none',
  NEEDRESTART_SUSPEND: '1',
  // Makes systemctl ignore the start requested by the nats-server package: the stack runs its own servers.
  SYSTEMD_OFFLINE: '1',
  LC_ALL: 'C',
}

/** Runs a program and returns its output; rejects with the end of it. */
function run(command: string, args: string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...process.env, ...quiet }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => (output += chunk))
    child.on('error', error =>
      reject(new Error('code' in error && error.code === 'ENOENT' ? `${command} is not installed` : error.message)),
    )
    child.on('close', code => {
      if (code === 0) return resolve(output)
      const errors = output.split('\n').filter(line => /^[EW]: /.test(line))
      const tail = (errors.length > 0 ? errors : output.trim().split('\n')).slice(-3).join(' ')
      reject(new Error(`${command} ${args.find(arg => !arg.startsWith('-') && !arg.includes('::'))}: ${tail}`))
    })
  })
}

/**
 * The package names of this release: older ones include the version (mariadb-server-core-10.6). Undefined when one is
 * missing in the lists, which then need an update.
 */
async function known(packages: string[], options: string[]): Promise<string[] | undefined> {
  const found: string[] = []
  for (const name of packages) {
    const names = (await run('apt-cache', [...options, 'pkgnames', name]).catch(() => '')).split('\n')
    const versioned = names.filter(candidate => new RegExp(`^${name}-\\d`).test(candidate)).sort()
    const policy = names.includes(name) ? await run('apt-cache', [...options, 'policy', name]) : ''
    const exact = /Candidate: (?!\(none\))/.test(policy) ? name : undefined
    const best = exact ?? versioned.at(-1)
    if (!best) return undefined
    found.push(best)
  }
  return found
}

/** Gets packages with the existing lists; updates them when a package is missing or its download fails. */
async function get(packages: string[], options: string[], args: string[]): Promise<void> {
  const names = await known(packages, options)
  if (names) {
    const done = await run('apt-get', [...options, ...args, ...names]).catch(() => undefined)
    if (done !== undefined) return
  }
  await run('apt-get', [...options, '-q', 'update'])
  await run('apt-get', [...options, ...args, ...((await known(packages, options)) ?? packages)])
}

/** Installs packages on the system, without questions and without starting anything. */
export async function installAsRoot(packages: string[]): Promise<void> {
  const options = ['-o', 'DPkg::Lock::Timeout=120', '-o', 'Dpkg::Options::=--force-confold']
  await get(packages, options, ['-q', '-y', '--no-install-recommends', 'install'])
}

/**
 * Downloads packages with their missing dependencies and unpacks them into a folder. Needs no rights: apt keeps its
 * lists and cache in that folder too.
 */
export async function unpackAsUser(packages: string[], folder: string): Promise<void> {
  const apt = join(folder, 'apt')
  const archives = join(apt, 'cache', 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  mkdirSync(join(apt, 'lists', 'partial'), { recursive: true })
  const base = ['-o', 'Debug::NoLocking=1', '-o', `Dir::Cache=${join(apt, 'cache')}`, '-o', 'APT::Sandbox::User=']
  const own = [...base, '-o', `Dir::State::lists=${join(apt, 'lists')}`]
  const args = ['-q', '-y', '--no-install-recommends', '--reinstall', '--download-only', 'install']
  // Uses the system's lists if they are fresh, else fetches separate ones.
  const names = await known(packages, base)
  const done = names && (await run('apt-get', [...base, ...args, ...names]).catch(() => undefined))
  if (done === undefined) await get(packages, own, args)
  const files = readdirSync(archives).filter(file => file.endsWith('.deb'))
  for (const file of files) await run('dpkg-deb', ['-x', join(archives, file), folder])
  rmSync(apt, { recursive: true, force: true })
}
