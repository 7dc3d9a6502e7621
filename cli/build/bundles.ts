import { join, relative } from 'node:path'
import { type BuildOptions, build, stop } from 'esbuild'
import { removeOthers, writeFiles } from '../generate/files.ts'
import { root } from '../run.ts'
import { guideFiles } from './guides.ts'

const dist = join(root, 'dist')

const app = join(root, 'edge/front/app')

const common: BuildOptions = {
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2023',
  // Paths are part of the hashes, and a worktree may share the packages of another folder.
  preserveSymlinks: true,
  legalComments: 'none',
  logLevel: 'silent',
  loader: { '.woff2': 'file' },
  assetNames: '[name]-[hash]',
}

const preact: BuildOptions = { jsx: 'automatic', jsxImportSource: 'preact' }

/** The web client: its script in parts, its style sheet and its service worker. */
export const frontBundle: BuildOptions = {
  ...common,
  ...preact,
  entryPoints: [
    { in: join(app, 'main.tsx'), out: 'main' },
    { in: join(app, 'styles/main.css'), out: 'main' },
    { in: join(app, 'service-worker.ts'), out: 'service-worker' },
  ],
  splitting: true,
  chunkNames: '[name]-[hash]',
  outdir: join(dist, 'front'),
}

/** The first script of the web client's page, which waits for no other file. */
const frontStart: BuildOptions = {
  ...common,
  format: 'iife',
  entryPoints: [join(app, 'start.ts')],
  outdir: join(dist, 'front'),
}

/** The operator's console: its script and its style sheet. */
const operators: BuildOptions = {
  ...common,
  ...preact,
  entryPoints: [join(root, 'edge/console/app/main.tsx'), join(root, 'edge/console/app/main.css')],
  outdir: join(dist, 'console'),
}

/** Bundles that pages of other origins load, each of one file. */
const crossOriginBundles: BuildOptions = {
  ...common,
  entryPoints: [
    { in: join(root, 'edge/live/client/client.js'), out: 'live-client' },
    { in: join(root, 'edge/inbox/assets/element.js'), out: 'inbox' },
  ],
  outdir: join(dist, 'shared'),
}

/** Bundles all scripts and styles that browsers load into `dist/`. Programs that read them meanwhile find them whole. */
export async function buildBundles(): Promise<void> {
  const results = await Promise.all(
    [frontBundle, frontStart, operators, crossOriginBundles].map(options => build({ ...options, write: false })),
  )
  const files = results.flatMap(({ outputFiles }) => outputFiles)
  const contents = new Map<string, Uint8Array>(files.map(({ path, contents }) => [relative(dist, path), contents]))
  for (const [name, html] of guideFiles()) contents.set(name, Buffer.from(html))
  writeFiles(dist, contents)
  // npm run pack and npm run release write there.
  removeOthers(dist, name => !contents.has(name) && !/^(packages|release)\//.test(name))
  // Otherwise the bundler's process lives as long as this one.
  await stop()
}
