import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { writeDeployment } from '../../cli/release/deployment.ts'
import { imagePrograms, platformFiles } from '../../cli/release/image-files.ts'
import { writeSource } from '../../cli/release/source.ts'
import { root } from '../../cli/run.ts'
import { pathOf } from '../../cli/stack/packages.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'

const test = suite('a release')
const folder = mkdtempSync(join(tmpdir(), 'release-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string }
const digestOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex')

test('the source tarball holds the files of the commit, and is the same each time', () => {
  const digests = ['first', 'second'].map(name => {
    mkdirSync(join(folder, name))
    return digestOf(writeSource(join(folder, name)).tarball)
  })
  assert.is(digests[0], digests[1])
  const { name, tarball } = writeSource(folder)
  const lines = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
      .trim()
      .split('\n')
  const packed = lines('tar', '-tzf', tarball).filter(path => !path.endsWith('/'))
  const committed = lines('git', 'ls-tree', '-r', '--name-only', '-z', 'HEAD').join('').split('\0').filter(Boolean)
  assert.equal(packed.toSorted(), committed.map(path => `${name}/${path}`).toSorted())
  assert.ok(packed.includes(`${name}/package-lock.json`))
})

test('compose.yml and the Kubernetes manifests name the image of the version, and nothing is built', () => {
  const target = join(folder, 'deployment')
  writeDeployment(target)
  const read = (path: string) => readFileSync(join(target, path), 'utf8')
  const { services } = parse(read('compose.yml'), { merge: true }) as {
    services: Record<string, { image: string; build?: string; volumes?: string[] }>
  }
  for (const name of [...serviceNames, 'edge', 'operator', 'sandbox']) {
    assert.is(services[name]?.image, `platform:${version}`, name)
    assert.is(services[name]?.build, undefined, name)
  }
  const mounted = Object.values(services).flatMap(({ volumes = [] }) => volumes.filter(each => each.startsWith('.')))
  for (const mount of mounted) assert.ok(existsSync(join(target, mount.split(':')[0] ?? '')), mount)
  const { images, resources } = parse(read('deploy/kubernetes/kustomization.yaml')) as Record<string, string[]>
  assert.equal(images, [{ name: 'platform', newTag: version }])
  for (const name of resources ?? []) assert.ok(existsSync(join(target, 'deploy/kubernetes', name)), name)
})

const kubectl = pathOf('kubectl')
if (!kubectl) console.error('NOT PROVEN: kubectl is missing, so the manifests are read, but not built')
;(kubectl ? test : test.skip)('an overlay names the registry, and every container has the image of the version', () => {
  const overlay = join(folder, 'overlay')
  mkdirSync(overlay)
  const images = 'images: [{ name: platform, newName: registry.example/platform }]'
  writeFileSync(join(overlay, 'kustomization.yaml'), `resources: [../deployment/deploy/kubernetes]\n${images}\n`)
  const manifests = execFileSync(kubectl ?? '', ['kustomize', overlay], { encoding: 'utf8' })
  const names = new Set(manifests.match(/(?<=^ +(?:- )?image: ).*/gm))
  assert.equal([...names], [`registry.example/platform:${version}`])
})

test('the image holds what its programs load, and neither tests nor tools nor development packages', () => {
  const target = join(folder, 'image')
  execFileSync(process.execPath, ['cli/release/image-files.ts', target], { cwd: root })
  const app = join(target, 'root/app')
  const files = globSync('**/*', { cwd: join(target, 'root'), exclude: path => path === 'node_modules' })
  assert.equal(
    files.filter(path => /\.(test|trial)\.|(^|\/)(bench|checks|fixtures|test|\.git)(\/|$)|(^|\/)(ba)?sh$/.test(path)),
    [],
  )
  for (const name of ['typescript', 'playwright-core', 'esbuild', 'node'])
    assert.not(existsSync(join(app, 'node_modules', name)), name)
  assert.ok(existsSync(join(app, 'node_modules/express/LICENSE')))
  // Threads and other processes run two of them; they would run here, as the programs do.
  const isLoaded = (path: string) =>
    path.endsWith('.ts') && !/\.d\.ts$|\/(worker|decoder)\.ts$/.test(path) && !imagePrograms.includes(path)
  const modules = platformFiles().filter(isLoaded)
  assert.ok(modules.length > 400, `${modules.length}`)
  const program = `for (const path of ${JSON.stringify(modules)}) await import('./' + path); process.exit(0)`
  const node = join(target, 'root/usr/local/bin/node')
  const { status, stderr } = spawnSync(node, ['--input-type=module', '-e', program], { cwd: app, encoding: 'utf8' })
  assert.is(status, 0, stderr)
})

test.run()
