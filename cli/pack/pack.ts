import { spawnSync } from 'node:child_process'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { filesOf } from '../generate/files.ts'
import { root, run } from '../run.ts'
import { type ClientPackage, clientPackages, platformManifest } from './packages.ts'

const scope = '@hospitality-platform'

/**
 * Packs every client into a folder. The browser bundles must be built.
 * @returns the paths of the tarballs
 */
export function packClients(folder: string): string[] {
  const work = mkdtempSync(join(tmpdir(), 'pack-'))
  try {
    compile(work)
    const staged = clientPackages.map(one => stage(one, work))
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder, ...staged]
    const { status, stdout, stderr } = spawnSync('npm', args, { cwd: work, encoding: 'utf8' })
    if (status !== 0) throw new Error(`npm pack failed: ${stderr}`)
    return Object.values(JSON.parse(stdout) as Record<string, { filename: string }>).map(one =>
      join(folder, one.filename),
    )
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** Writes the sources of the clients as JavaScript with declarations below `compiled/`. */
function compile(work: string): void {
  const outDir = join(work, 'compiled')
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      noEmit: false,
      declaration: true,
      rewriteRelativeImportExtensions: true,
      target: 'es2023',
      lib: ['es2024', 'dom', 'dom.iterable'],
      types: [],
      rootDir: root,
      outDir,
    },
    include: [],
    files: [join(root, 'edge/client/client.ts'), ...globSync(join(root, 'gen/platform/**/*_pb.ts'))],
  }
  writeFileSync(join(work, 'tsconfig.json'), JSON.stringify(config))
  const { ok, output } = run('tsc', '-p', join(work, 'tsconfig.json'))
  if (!ok) throw new Error(output)
  // tsc rewrites the imports of scripts, but not those of declarations.
  for (const [name, text] of filesOf(outDir))
    if (name.endsWith('.d.ts'))
      writeFileSync(join(outDir, name), text.replace(/('\.[^']*|"\.[^"]*)\.ts(?=['"])/g, '$1.js'))
}

/** Puts a package together. @returns its folder */
function stage(one: ClientPackage, work: string): string {
  const folder = join(work, one.name)
  for (const [source, target] of Object.entries(one.files)) {
    const path = join(source.startsWith('compiled/') ? work : root, source)
    mkdirSync(dirname(join(folder, target)), { recursive: true })
    cpSync(path, join(folder, target), { recursive: true })
  }
  const { version, license } = platformManifest
  const manifest = { name: `${scope}/${one.name}`, version, license, type: 'module', ...one.manifest }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(join(folder, 'README.md'), readmeOf(`${scope}/${one.name}`, one.manifest.description, one.readme))
  cpSync(join(root, 'CHANGELOG.md'), join(folder, 'CHANGELOG.md'))
  return folder
}

/** A part of a guide without its links, which lead nowhere in a package. */
export function readmeOf(name: string, description: string, readme: ClientPackage['readme']): string {
  const guide = readFileSync(join(root, 'docs/guides', readme.guide), 'utf8')
  const [, part] = guide.split(`## ${readme.heading}\n`)
  if (part === undefined) throw new Error(`docs/guides/${readme.guide} has no "${readme.heading}"`)
  const text = part.replace(/\n##[\s\S]*/, '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
  return `# ${name}\n\n${description} For version ${platformManifest.version} of the platform.\n${text}`
}
