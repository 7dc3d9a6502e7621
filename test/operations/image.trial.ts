import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import { release } from '../../cli/release/release.ts'
import { pathOf } from '../../cli/stack/packages.ts'
import { consoleListener, frontListener } from '../../edge/config.ts'
import { serviceNames } from '../../services/kernel/base/service-names.ts'
import type { Environment } from '../../services/kernel/process/config.ts'
import { type TestBus, type TestDatabase, testDatabase } from '../kit/database.ts'
import { assert, eventually, suite } from '../kit/kit.ts'
import { dividedBus, ownAddresses } from '../kit/platform/divided-bus.ts'
import { settings } from '../kit/platform/platform.ts'

/* `npm run release` twice, then the platform from its image alone. */
const test = suite('a release and its image')
const folder = mkdtempSync(join(tmpdir(), 'image-trial-'))

/** Runs podman over a separate storage, and with runc where it is installed: crun refuses some machines' cgroups. */
function podman(args: string[], env: Environment = {}) {
  const store = ['--root', join(folder, 'storage'), '--runroot', join(folder, 'run')]
  const runtime = pathOf('runc') ? ['--runtime=runc'] : []
  const options = { env: { ...process.env, ...env }, encoding: 'utf8' as const }
  const { status, stdout, stderr } = spawnSync('podman', [...store, ...runtime, ...args], options)
  return { status, output: `${stdout}${stderr}` }
}

/** Like `podman`, for a command that must succeed. @returns its output */
function podmanDone(args: string[], env: Environment = {}): string {
  const { status, output } = podman(args, env)
  assert.is(status, 0, `podman ${args.join(' ')}: ${output}`)
  return output
}

const confined = ['--read-only', '--tmpfs=/tmp', '--cap-drop=all', '--security-opt=no-new-privileges', '--network=host']
// The default limits are above those of some machines.
const limits = ['--ulimit=nofile=4096:4096', '--ulimit=nproc=4096:4096']

/** The arguments that run a command of the image, the image's own without one. */
function runOf(env: Environment, options: string[], command: string[] = []): string[] {
  const names = Object.keys(env).map(name => `--env=${name}`)
  return ['run', ...options, ...confined, ...limits, ...names, 'platform', ...command]
}

/** The digests of a release's files, by name. */
function digestsIn(released: string): Map<string, string> {
  const lines = readFileSync(join(released, 'SHA256SUMS'), 'utf8').trim().split('\n')
  return new Map(lines.map(line => [line.slice(66), line.slice(0, 64)]))
}

const missingPrograms = ['buildah', 'podman'].filter(name => !pathOf(name))
let obstacle = missingPrograms.length > 0 ? `${missingPrograms.join(' and ')} missing` : ''
let released = ''
if (!obstacle) {
  released = release(join(folder, 'first'))
  const archive = [...digestsIn(released).keys()].find(name => name.endsWith('-image.tar')) ?? ''
  podmanDone(['load', '--input', join(released, archive)])
  const name = /^localhost\/platform:.*$/m.exec(podmanDone(['images', '--format={{.Repository}}:{{.Tag}}']))?.[0] ?? ''
  podmanDone(['tag', name, 'platform'])
  const { status, output } = podman(runOf({}, ['--rm'], ['node', '--version']))
  if (status !== 0) obstacle = `podman runs no containers here: ${output.trim()}`
}
if (obstacle) console.error(`NOT PROVEN: ${obstacle}`)
const built = released ? test : test.skip
const played = obstacle ? test.skip : test

built('a second build has the same digests, and sha256sum accepts them', () => {
  assert.equal(digestsIn(release(join(folder, 'second'))), digestsIn(released))
  const { status, stderr } = spawnSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: released })
  assert.is(status, 0, String(stderr))
})

built('the image has at most 250 MB, user 1000, the version, and no shell', () => {
  const [{ Size, Config }] = JSON.parse(podmanDone(['image', 'inspect', 'platform']))
  assert.ok(Size < 250_000_000, `${Size}`)
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  assert.equal([Config.User, Config.Labels['org.opencontainers.image.version']], ['1000:1000', version])
})

let bus: TestBus
let databases: (TestDatabase & { name: string })[] = []
let env: Environment = {}
const processes = ['sandbox', ...serviceNames, 'edge']

test.before(async () => {
  if (obstacle) return
  const empty = join(folder, 'no-migrations')
  mkdirSync(empty)
  bus = await dividedBus()
  databases = await Promise.all(
    serviceNames.map(async name => ({ name, ...(await testDatabase(pathToFileURL(`${empty}/`))) })),
  )
  const { PATH: _, NODE_COMPILE_CACHE: __, ...rest } = await settings(databases, bus, '/data')
  // The tour and the sandbox refuse to run in production.
  env = { ...rest, ...ownAddresses(bus.url), NODE_ENV: 'development' }
})
test.after(async () => {
  // Ends the containers, and releases what is mounted.
  if (released) podman(['system', 'reset', '--force'])
  await bus?.close()
  for (const one of databases) await one.drop()
  rmSync(folder, { recursive: true, force: true })
})

played('a command migrates empty databases', () => {
  assert.match(podmanDone(runOf(env, ['--rm'], ['node', 'cli/command.ts', 'migrate']), env), /\d+ migrations applied/)
})

played(
  'every service, the edge and the sandbox start as compose.yml starts them, and its health checks accept them',
  async () => {
    const { services } = parse(readFileSync(join(released, 'compose.yml'), 'utf8'), { merge: true })
    const addressOf = (name: string): string => {
      if (name === 'edge') return `http://127.0.0.1:${env['AUTH_PORT']}/ready`
      if (name === 'sandbox') return `http://127.0.0.1:${env['SANDBOX_PORT']}/health`
      return `http://127.0.0.1:${env[`${name.toUpperCase()}_RPC_PORT`]}`
    }
    for (const name of processes) {
      const processEnv: Environment = { ...env, ...(services[name].environment.SERVICES && { SERVICES: name }) }
      podmanDone(
        runOf(processEnv, ['--detach', `--name=${name}`, `--volume=${name}:/data`], services[name].command),
        processEnv,
      )
      const check = ['exec', name, ...services[name].healthcheck.test.slice(1, -1), addressOf(name)]
      const isHealthy = await eventually(() => podman(check).status === 0, 60_000).catch(() => false)
      assert.ok(isHealthy, podman(['logs', name]).output)
    }
  },
)

played('the tour runs from the image, and the edge serves the client, the console and the documents', async () => {
  const tour = podmanDone(runOf(env, ['--rm'], ['node', 'cli/command.ts', 'tour']), env)
  assert.match(tour, /All \d+ steps done/)
  const pages = [
    '/',
    '/assets/main.js',
    '/docs',
    '/docs/webhooks',
    '/docs/assets/swagger-ui-bundle.js',
    '/openapi.json',
  ]
  for (const path of pages) await assertServed(`http://127.0.0.1:${env[frontListener.setting]}${path}`)
  await assertServed(`http://127.0.0.1:${env[consoleListener.setting]}/assets/main.js`)
  for (const path of ['/inbox.js', '/live/client.js', '/inbox'])
    await assertServed(`http://127.0.0.1:${env['NOTIFICATION_PORT']}${path}`)
})

async function assertServed(url: string): Promise<void> {
  const answer = await fetch(url)
  await answer.arrayBuffer()
  assert.is(answer.status, 200, url)
}

played('pictures are decoded, root’s files stay as they are, and there is no shell', () => {
  const program = `
    const { default: sharp } = await import('sharp')
    const { readdir, writeFile } = await import('node:fs/promises')
    const picture = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } }).png().toBuffer()
    const refusal = await writeFile('/app/package.json', '').catch(error => error.code)
    await writeFile('/data/own', '')
    console.log(picture.length > 0, process.getuid(), refusal, (await readdir('/usr/local/bin')).join())`
  const args = ['node', '--input-type=module', '--eval', program]
  assert.match(podmanDone(['exec', 'media', ...args]), /^true 1000 (EROFS|EACCES) node$/m)
  assert.is.not(podman(['exec', 'media', 'sh', '-c', 'true']).status, 0)
})

played('every process ends in order on SIGTERM', () => {
  for (const name of processes.toReversed()) {
    podmanDone(['stop', '--time=30', name])
    assert.is(podmanDone(['inspect', '--format={{.State.ExitCode}}', name]).trim(), '0', name)
  }
})

test.run()
