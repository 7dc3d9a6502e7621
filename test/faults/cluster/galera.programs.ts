import { existsSync, globSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { unpackAsUser } from '../../../cli/stack/apt.ts'
import { findPrograms, type Program } from '../../../cli/stack/packages.ts'

/** MariaDB with what its nodes need to replicate and to transfer their data to a new node. */
export type GaleraPrograms = { mariadbd: Program; library: string; env: NodeJS.ProcessEnv }

/** Folders of shared libraries in an unpacked system, one per architecture. */
const librariesIn = (folder: string): string[] => globSync(join(folder, 'usr', 'lib', '*-linux-*'))

/** Kept between runs, so that the packages are downloaded once. */
const unpacked = fileURLToPath(new URL('../../../.cache/galera', import.meta.url))

/**
 * Finds MariaDB, and downloads Galera with its scripts into the project: installing the package would start a system
 * server.
 */
export async function galeraPrograms(): Promise<GaleraPrograms> {
  const { mariadbd } = await findPrograms({
    names: ['mariadbd'],
    folder: unpacked,
    print: () => undefined,
  })
  if (!mariadbd) throw new Error('there is no mariadbd')
  const library = join(unpacked, 'usr', 'lib', 'galera', 'libgalera_smm.so')
  const script = join(unpacked, 'usr', 'bin', 'wsrep_sst_rsync')
  if (!existsSync(library) || !existsSync(script))
    await unpackAsUser(['galera-4', 'mariadb-server', 'mariadb-client-core', 'rsync', 'lsof'], unpacked)
  const PATH = [join(unpacked, 'usr', 'bin'), process.env['PATH'], '/usr/sbin', '/sbin'].join(delimiter)
  // rsync may need libraries that the system lacks; they were unpacked next to it.
  const own = mariadbd.env['LD_LIBRARY_PATH'] ?? process.env['LD_LIBRARY_PATH']
  const LD_LIBRARY_PATH = [own, ...librariesIn(unpacked)].filter(Boolean).join(delimiter)
  return { mariadbd, library, env: { ...process.env, ...mariadbd.env, PATH, LD_LIBRARY_PATH } }
}
