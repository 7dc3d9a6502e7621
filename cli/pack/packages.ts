import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../run.ts'

type PlatformManifest = { name: string; version: string; license: string } & Record<
  'dependencies' | 'devDependencies',
  Record<string, string>
>

/** The platform's own package.json. */
export const platformManifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as PlatformManifest
const lockedVersion = (name: string): string =>
  platformManifest.dependencies[name] ?? platformManifest.devDependencies[name] ?? ''

/** Versions from the locked one on, of packages that an application should have only once. */
const from = (...names: string[]) => Object.fromEntries(names.map(name => [name, `^${lockedVersion(name)}`]))

/** A package for those who build on the platform. */
export type ClientPackage = {
  name: string
  /** The part of a guide that is its README. */
  readme: { guide: string; heading: string }
  /** Where its files come from: paths from the project's folder, `compiled/` being what tsc writes. */
  files: Record<string, string>
  /** The rest of its package.json. */
  manifest: { description: string; engines?: { node: string }; exports: object } & Record<string, unknown>
}

/** An entry of `exports` whose types stand beside it. */
const entry = (path: string) => ({ types: `${path}.d.ts`, default: `${path}.js` })

export const clientPackages: ClientPackage[] = [
  {
    name: 'rest-client',
    readme: { guide: 'clients.md', heading: 'REST, in TypeScript' },
    files: { 'compiled/edge/client': 'edge/client', 'compiled/gen/client': 'gen/client' },
    manifest: {
      description: 'Typed REST client of the hospitality platform, for browsers and Node.',
      engines: { node: '>=20' },
      sideEffects: false,
      exports: { '.': entry('./edge/client/client'), './*': entry('./gen/client/*') },
    },
  },
  {
    name: 'connect-client',
    readme: { guide: 'clients.md', heading: 'Connect and gRPC-Web' },
    files: { 'compiled/gen/platform': 'platform', 'compiled/gen/google': 'google' },
    manifest: {
      description: 'Messages and services of the hospitality platform, for Connect, gRPC-Web and gRPC.',
      engines: { node: '>=20' },
      sideEffects: false,
      exports: { './*.js': entry('./platform/*') },
      dependencies: { '@bufbuild/protovalidate': lockedVersion('@bufbuild/protovalidate') },
      peerDependencies: from('@bufbuild/protobuf', '@connectrpc/connect'),
    },
  },
  {
    name: 'socket-client',
    readme: { guide: 'realtime.md', heading: 'From a package' },
    files: { 'edge/live/client/client.js': 'client.js', 'edge/live/client/client.d.ts': 'client.d.ts' },
    manifest: {
      description: 'Live updates of the hospitality platform, for browsers and Node.',
      engines: { node: '>=22' },
      sideEffects: false,
      exports: { '.': entry('./client') },
    },
  },
  {
    name: 'inbox',
    readme: { guide: 'inbox.md', heading: 'From a package' },
    files: {
      'dist/shared/inbox.js': 'inbox.js',
      'edge/inbox/assets/inbox.d.ts': 'inbox.d.ts',
      'cli/pack/wrappers': '.',
    },
    manifest: {
      description: 'The notifications of the hospitality platform as a web component, with wrappers for React and Vue.',
      exports: { '.': entry('./inbox'), './react': entry('./react'), './vue': entry('./vue') },
      peerDependencies: { react: '>=18', vue: '>=3.3' },
      peerDependenciesMeta: { react: { optional: true }, vue: { optional: true } },
    },
  },
]
