import { join } from 'node:path'
import { build } from 'esbuild'
import { root } from '../run.ts'

const app = join(root, 'edge/front/app')

/** The web client as browsers load it: its script, its style sheet and its service worker. */
export async function frontOutputs(): Promise<{ path: string; text: string }[]> {
  const { outputFiles } = await build({
    entryPoints: [
      { in: join(app, 'main.tsx'), out: 'main' },
      { in: join(app, 'styles/main.css'), out: 'main' },
      { in: join(app, 'service-worker.ts'), out: 'service-worker' },
    ],
    bundle: true,
    // Paths are part of the hashes, and a worktree may share the packages of another folder.
    preserveSymlinks: true,
    splitting: true,
    chunkNames: '[name]-[hash]',
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    outdir: join(root, 'gen/front'),
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  })
  return outputFiles.map(({ path, text }) => ({ path: path.slice(root.length + 1), text }))
}
