import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPrograms, type InstalledProgram } from '../../../cli/stack/packages.ts'

/** MariaDB with what its nodes need to replicate and to transfer their data to a new node. */
export type GaleraPrograms = { mariadbd: InstalledProgram; library: string; env: NodeJS.ProcessEnv }

/** Folders of shared libraries in an unpacked system, one per architecture. */
const librariesIn = (folder: string): string[] => globSync(join(folder, 'usr', 'lib', '*-linux-*'))

/** Kept between runs, so that the packages are downloaded once. */
const unpacked = fileURLToPath(new URL('../../../.cache/galera', import.meta.url))

/**
 * Finds MariaDB, and downloads Galera with its scripts into the project: installing the package would start a system
 * server.
 */
export async function galeraPrograms(): Promise<GaleraPrograms> {
  const { mariadbd } = await findPrograms(['mariadbd'], () => undefined)
  if (!mariadbd) throw new Error('there is no mariadbd')
  const library = join(unpacked, 'usr', 'lib', 'galera', 'libgalera_smm.so')
  const script = join(unpacked, 'usr', 'bin', 'wsrep_sst_rsync')
  if (!existsSync(library) || !existsSync(script))
    downloadPackages(['galera-4', 'mariadb-server', 'mariadb-client-core', 'rsync', 'lsof'])
  const PATH = [join(unpacked, 'usr', 'bin'), process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter)
  // rsync may need libraries that the system lacks; they were unpacked next to it.
  const LD_LIBRARY_PATH = [process.env['LD_LIBRARY_PATH'], ...librariesIn(unpacked)].filter(Boolean).join(delimiter)
  return { mariadbd, library, env: { ...process.env, PATH, LD_LIBRARY_PATH } }
}

/** Downloads packages with their missing dependencies, and unpacks them. */
function downloadPackages(packages: string[]): void {
  const archives = join(unpacked, 'archives')
  mkdirSync(join(archives, 'partial'), { recursive: true })
  const folders = ['-o', `Dir::Cache::archives=${archives}`, '-o', 'APT::Sandbox::User=']
  const choice = ['-q', '-y', '--no-install-recommends', '--reinstall', '--download-only']
  execFileSync('apt-get', ['-q', 'update'])
  execFileSync('apt-get', [...folders, ...choice, 'install', ...packages])
  for (const file of globSync(join(archives, '*.deb'))) execFileSync('dpkg-deb', ['-x', file, unpacked])
}
