import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installedPackages, isAllowed, lockedPackages } from '../../cli/licences/packages.ts'
import { root } from '../../cli/run.ts'
import { recorded } from '../kit/coverage.ts'

const test = suite('licences and packages')
const command = (name: string) => {
  const env = { ...process.env, ...recorded() }
  const run = spawnSync(process.execPath, [`cli/${name}.ts`], { cwd: root, env, encoding: 'utf8', maxBuffer: 2 ** 26 })
  assert.is(run.status, 0, run.stderr)
  return run.stdout
}

test('every package has an allowed licence', () => {
  const packages = installedPackages()
  assert.ok(packages.length > 200, `${packages.length}`)
  assert.equal(
    packages.filter(one => !isAllowed(one)).map(({ name, licence }) => `${name}: ${licence}`),
    [],
  )
})

test('copyleft, unknown and missing licences are refused, also as part of an expression', () => {
  for (const licence of [
    'GPL-3.0-only',
    'AGPL-3.0-or-later',
    'LGPL-3.0-or-later',
    'SSPL-1.0',
    'MIT AND GPL-2.0',
    '',
    'X',
  ])
    assert.not.ok(isAllowed({ name: 'some-package', licence }), licence)
  for (const licence of ['MIT', '(MIT OR GPL-3.0-only)', 'Apache-2.0 AND BSD-3-Clause'])
    assert.ok(isAllowed({ name: 'some-package', licence }), licence)
})

test('every package is locked to one version and digest, and only known ones run install scripts', () => {
  const entries = lockedPackages()
  const names = new Set(installedPackages().map(({ name }) => name))
  for (const [path, { version, integrity }] of entries) {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    if (names.has(name)) assert.ok(version && integrity?.startsWith('sha512-'), path)
  }
  const scripts = [...entries]
    .filter(([, one]) => one.hasInstallScript)
    .map(([path]) => path.replace('node_modules/', ''))
  assert.equal(scripts.toSorted(), ['@bufbuild/buf', '@scarf/scarf', 'bcrypt', 'esbuild', 'node', 'protobufjs'])
  const manifest = JSON.parse(readFileSync(`${root}/package.json`, 'utf8')) as Record<string, Record<string, string>>
  for (const [name, version] of Object.entries({ ...manifest['dependencies'], ...manifest['devDependencies'] }))
    assert.match(version, /^\d+\.\d+\.\d+$/, name)
})

test('npm run licences lists them without a refusal', () => {
  assert.match(command('licences'), /\nMIT \(\d+\)\n[\s\S]*\n\d+ packages, 0 refused\n$/)
})

test('npm run sbom is a CycloneDX bill with every package of the lock file, its version and digest', () => {
  type Component = { name: string; version: string; purl: string; hashes?: { alg: string; content: string }[] }
  const bill = JSON.parse(command('sbom')) as {
    bomFormat: string
    specVersion: string
    metadata: { component: Component }
    components: Component[]
  }
  assert.equal([bill.bomFormat, bill.metadata.component.name], ['CycloneDX', 'hospitality-platform'])
  const purls = new Set(bill.components.map(({ purl }) => decodeURIComponent(purl)))
  const missing = installedPackages().filter(({ name, version }) => !purls.has(`pkg:npm/${name}@${version}`))
  assert.equal(missing, [])
  const { hashes = [] } = bill.components.find(({ name }) => name === 'express') ?? {}
  assert.is(hashes[0]?.alg, 'SHA-512')
})

test.run()
