// Runs first, on any Node from 20 and before anything is installed: plain JavaScript, no packages.
//   node cli/bootstrap.mjs <script> [arguments]
// installs the npm packages when they are missing or don't match package-lock.json, then runs the script under their
// Node.

import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name = 'start', ...args] = process.argv.slice(2)

function fail(message) {
  console.error(message)
  process.exit(1)
}

const major = Number(process.versions.node.split('.')[0])
if (major < 20) fail(`Node ${process.versions.node} is too old: this needs Node 20 or later (https://nodejs.org).`)

const scripts = {
  start: 'cli/up.ts',
  build: 'cli/build/main.ts',
  pack: 'cli/pack/main.ts',
  release: 'cli/release/main.ts',
  bench: 'bench/main.ts',
  faults: 'test/faults/main.ts',
  platform: 'cli/command.ts',
}
const script = join(root, scripts[name] ?? `cli/${name}.ts`)
if (!/^[a-z-]+$/.test(name) || !existsSync(script)) fail(`There is no script "${name}"; see "scripts" in package.json.`)

/** Whether node_modules matches package-lock.json, by npm's own record. */
function installed() {
  try {
    const read = file => JSON.parse(readFileSync(join(root, file), 'utf8')).packages
    const installedPackages = read('node_modules/.package-lock.json')
    return Object.entries(read('package-lock.json')).every(
      ([path, entry]) => path === '' || entry.optional || installedPackages[path]?.version === entry.version,
    )
  } catch {
    return false
  }
}

if (!installed()) {
  const began = Date.now()
  console.error('  installing npm packages (npm ci) …')
  const result = spawnSync('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // A script's output stays its own.
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32',
  })
  if (result.error?.code === 'ENOENT') fail('npm is not in the PATH; it comes with Node (Debian: apt-get install npm).')
  if (result.status !== 0)
    fail(`npm ci failed (${result.signal ?? `exit code ${result.status}`}); see its output above.`)
  console.error(`  npm packages installed in ${((Date.now() - began) / 1000).toFixed(1)} s`)
}

const projectNode = join(root, 'node_modules', '.bin', 'node')
const cache = process.env.NODE_COMPILE_CACHE ?? join(root, '.cache', 'compile')
// Scripts find their tools (buf, tsc, biome …) and this Node as under npm.
const PATH = `${join(root, 'node_modules', '.bin')}:${process.env.PATH ?? ''}`

if (major >= 24) {
  // This Node is the right one, so a second process would only cost memory.
  process.chdir(root)
  Object.assign(process.env, { PATH, NODE_COMPILE_CACHE: cache })
  nodeModule.enableCompileCache?.(cache)
  process.argv = [process.execPath, script, ...args]
  await import(pathToFileURL(script).href)
} else {
  if (!existsSync(projectNode)) fail(`${projectNode} is missing: run npm ci.`)
  runUnder(projectNode)
}

/** Runs the script under another Node, forwards signals, and exits as it does. */
function runUnder(node) {
  const env = { ...process.env, PATH, NODE_COMPILE_CACHE: cache }
  // Where setpriv is available, a kill -9 of this process also stops the script in order.
  const canBind = spawnSync('setpriv', ['--pdeathsig=TERM', 'true'], { stdio: 'ignore' }).status === 0
  const command = [...(canBind ? ['setpriv', '--pdeathsig=TERM'] : []), node, script, ...args]
  const child = spawn(command[0], command.slice(1), { stdio: 'inherit', env, cwd: root })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', error => fail(`${node} cannot be run: ${error.message}`))
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1)
    // Exit as the script did, so that the shell sees the same.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}
