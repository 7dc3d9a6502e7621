import { execFileSync, spawnSync } from 'node:child_process'
import { root } from '../run.ts'

type Component = { type: string; 'bom-ref': string; name: string; version: string; purl: string }

/**
 * The bill of materials: every package of the lock file, as `npm run sbom` prints it, and the Debian packages of the
 * image's shared libraries.
 */
export function billOfMaterials(libraries: string[]): string {
  const billText = execFileSync(process.execPath, ['cli/sbom.ts'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const bill = JSON.parse(billText) as { components: Component[] }
  bill.components.push(...debianPackages(libraries))
  return `${JSON.stringify(bill, null, 2)}\n`
}

function debianPackages(libraries: string[]): Component[] {
  // Debian records some libraries below /usr/lib, which is the same folder as /lib. Paths without a package are errors.
  const paths = libraries.flatMap(path => [path, `/usr${path}`])
  const owners = spawnSync('dpkg-query', ['--search', ...paths], { encoding: 'utf8' }).stdout ?? ''
  const names = [...new Set(owners.trim().split('\n'))].map(line => line.replace(/: .*/, ''))
  const format = '--showformat=${Package} ${Version} ${Architecture}\n'
  const lines = execFileSync('dpkg-query', ['--show', format, ...new Set(names)], { encoding: 'utf8' })
  return lines
    .trim()
    .split('\n')
    .map(line => {
      const [name = '', version = '', architecture] = line.split(' ')
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}`
      return { type: 'library', 'bom-ref': purl, name, version, purl }
    })
}
