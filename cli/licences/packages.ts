import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'

/** An installed package with its licence as an SPDX expression; empty when it names none. */
export type Package = { name: string; version: string; licence: string; isDevelopment: boolean; hasScript: boolean }

type LockedPackage = { version?: string; dev?: boolean; hasInstallScript?: boolean; integrity?: string }
type Manifest = { license?: string | { type?: string }; licenses?: { type?: string }[] }

/** Entries of package-lock.json by folder, without the project itself. */
export function lockedPackages(): Map<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockedPackage>
  }
  return new Map(Object.entries(packages).filter(([path]) => path !== ''))
}

/** Every installed package of the lock file; those for other systems are not installed. */
export function installedPackages(): Package[] {
  return [...lockedPackages()]
    .filter(([path]) => existsSync(join(root, path, 'package.json')))
    .map(([path, { version = '', dev = false, hasInstallScript = false }]) => {
      const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Manifest
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      return { name, version, licence: licenceOf(manifest), isDevelopment: dev, hasScript: hasInstallScript }
    })
}

function licenceOf({ license, licenses = [] }: Manifest): string {
  if (typeof license === 'string') return license
  return license?.type ?? licenses.map(one => one.type).join(' OR ')
}

/** Licences that require only attribution. */
const permissiveNames =
  'MIT MIT-0 ISC 0BSD BSD-2-Clause BSD-3-Clause Apache-2.0 BlueOak-1.0.0 CC0-1.0 PSF-2.0 Python-2.0 Unlicense Zlib'
const permissive = new Set(permissiveNames.split(' '))

/** Exceptions for single packages, with the reason. */
const exceptions: { licence: string; name: RegExp; why: string }[] = [
  {
    licence: 'LGPL-3.0-or-later',
    name: /^@img\/sharp-(libvips|win32|wasm32)/,
    why: 'a separate library file, used unchanged and replaceable',
  },
  { licence: 'MPL-2.0', name: /^(web-push|http_ece)$/, why: 'used unchanged; its files stay under their licence' },
  { licence: 'OFL-1.1', name: /^@fontsource-variable\//, why: 'a font, which pages may embed unchanged' },
  { licence: 'MPL-2.0', name: /^axe-core$/, why: 'used unchanged in tests only, and not shipped' },
]

/** Whether a package may be used: every part of an AND, one of an OR. */
export function isAllowed({ name, licence }: Pick<Package, 'name' | 'licence'>): boolean {
  const one = (id: string): boolean =>
    permissive.has(id) || exceptions.some(exception => exception.licence === id && exception.name.test(name))
  const bare = licence.replaceAll(/[()]/g, '')
  return bare.split(' OR ').some(choice => choice.split(' AND ').every(part => one(part.trim())))
}
