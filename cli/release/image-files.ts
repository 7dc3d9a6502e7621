import { chmodSync, copyFileSync, cpSync, existsSync, globSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { lockedPackages } from '../licences/packages.ts'
import { root } from '../run.ts'
import { loadedFiles } from './loaded-files.ts'

/** What containers run, the health check, and what migrations load by folder. */
export const imagePrograms: string[] = [
  'services/main.ts',
  'edge/main.ts',
  'services/sandbox/main.ts',
  'cli/command.ts',
  'cli/probe.ts',
  ...globSync('services/**/migrations/*.ts', { cwd: root }),
]

/** The platform's own files that programs load or serve, as paths from its folder. The bundles must be built. */
export function platformFiles(): string[] {
  // Only `npm start` bundles by itself.
  const loadedPaths = [...loadedFiles(imagePrograms, 'cli/build/bundles.ts')].filter(
    path => path !== 'cli/build/bundles.ts',
  )
  const servedPaths = globSync(['{edge,gen,services}/**/*', 'dist/{console,docs,front,shared}/**/*'], {
    cwd: root,
  }).filter(
    path =>
      statSync(join(root, path)).isFile() &&
      (path.endsWith('.d.ts') || !/\.tsx?$|^edge\/(front|console)\/app\/.*\.(css|json)$/.test(path)),
  )
  return [...loadedPaths, ...servedPaths, 'package.json', '.env.example'].toSorted()
}

/** Copies what production loads of the packages: neither types, sources, maps nor texts, but every licence. */
function copyPackages(target: string): void {
  const isLoaded = (path: string): boolean =>
    /^(licen[cs]e|copying|notice)/i.test(basename(path)) ||
    !/\.([cm]?tsx?|map|md|markdown|flow|c|cc|h|gyp|gypi)$/.test(path)
  // The image brings Node itself.
  const isWanted = (path: string): boolean => /^node_modules\/(?!.*node_modules)(?!node$)/.test(path)
  for (const [path, { dev }] of lockedPackages())
    if (!dev && isWanted(path) && existsSync(join(root, path)))
      cpSync(join(root, path), join(target, path), { recursive: true, filter: isLoaded })
}

/** The shared libraries of Node and of the packages in C++. */
async function sharedLibraries(): Promise<string[]> {
  await Promise.all([import('bcrypt'), import('sharp')])
  const { sharedObjects } = process.report.getReport() as { sharedObjects: string[] }
  return sharedObjects.filter(path => path.startsWith('/') && !path.includes('/node_modules/'))
}

/** Accounts, and that addresses of the container's own file come before DNS. */
const systemFiles = {
  'etc/passwd': 'root:x:0:0:root:/:/sbin/nologin\nnode:x:1000:1000:node:/data:/sbin/nologin\n',
  'etc/group': 'root:x:0:\nnode:x:1000:\n',
  'etc/nsswitch.conf': 'hosts: files dns\n',
}

/**
 * Writes what the image holds: its root to `root/`, and the volume of the user to `data/`. The image gets the Node that
 * runs this, and no other program.
 * @returns the shared libraries
 */
export async function writeImageFiles(folder: string): Promise<string[]> {
  const target = join(folder, 'root')
  for (const name of ['root/app', 'root/etc', 'root/tmp', 'root/usr/local/bin', 'data'])
    mkdirSync(join(folder, name), { recursive: true })
  chmodSync(join(target, 'tmp'), 0o1777)
  for (const [name, text] of Object.entries(systemFiles)) writeFileSync(join(target, name), text)
  for (const path of platformFiles()) cpSync(join(root, path), join(target, 'app', path))
  copyPackages(join(target, 'app'))
  const libraries = await sharedLibraries()
  for (const path of libraries) {
    mkdirSync(dirname(join(target, path)), { recursive: true })
    // What links lead to, under the name that programs load.
    copyFileSync(path, join(target, path))
  }
  copyFileSync(process.execPath, join(target, 'usr/local/bin/node'))
  return libraries
}

// node cli/release/image-files.ts <folder> prints the libraries, one a line.
const [, program, folder] = process.argv
if (folder && program === import.meta.filename) console.log((await writeImageFiles(folder)).join('\n'))
