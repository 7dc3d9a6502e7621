import { posix } from 'node:path'
import type { SourceFile } from '../sources.ts'

/** Area of a path: services/member, services/kernel, services, edge, cli … */
function areaOf(path: string): string {
  const [first = '', second = '', ...rest] = path.split('/')
  return first === 'services' && rest.length > 0 ? `services/${second}` : first
}

/** Tests and benchmarks, with their kit and fixtures. */
const isForTests = (path: string): boolean => /\.test\.ts$|^(test|bench)\/|(^|\/)fixtures\//.test(path)

/** Areas that assemble the parts, and may import any of them. */
const assembling = new Set(['services', 'cli'])

/** A file's imports: paths from the project's folder, or package names. */
export function importsOf({ path, text }: SourceFile): string[] {
  const staticImports = text.matchAll(/^(?:import|export)\s+(?:[\w\s{},*$]*\bfrom\s*)?'([^'\n]+)'/gm)
  const dynamicImports = text.matchAll(/\bimport\('([^'\n]+)'\)/g)
  return [...staticImports, ...dynamicImports]
    .map(match => match[1] ?? '')
    .map(name => (name.startsWith('.') ? posix.join(posix.dirname(path), name) : name))
}

/** The web client and the console run in browsers: what they import is bundled, and must not need Node. */
const isForBrowsers = (path: string): boolean => /^edge\/(front|console)\/app\//.test(path)
const bundled =
  /^((gen\/client|edge\/client|edge\/live\/client|edge\/(front|console)\/app)\/|services\/kernel\/base\/colours\/colours\.ts$)/

/** Why a file must not import another; undefined when it may. */
function forbidden(from: string, to: string): string | undefined {
  const [area, targetArea] = [areaOf(from), areaOf(to)]
  if (isForTests(from)) return undefined
  if (isForTests(to)) return 'is for tests'
  if (isForBrowsers(from))
    return bundled.test(to)
      ? undefined
      : 'pages import only the clients, their generated types, colours.ts of the kernel and each other'
  if (targetArea === area || targetArea === 'gen' || targetArea === 'services/kernel' || assembling.has(area))
    return undefined
  return area === 'services/kernel' ? 'the kernel imports only gen' : `${area} imports only gen, the kernel and itself`
}

/** Package of a bare import: @scope/name/file → @scope/name. */
const packageOf = (name: string): string =>
  name
    .split('/')
    .slice(0, name.startsWith('@') ? 2 : 1)
    .join('/')

const packagesForBrowsers = /^(preact|marked|prosemirror-[a-z-]+)$/

function forbiddenPackage(from: string, name: string, dependencies: Set<string>): string | undefined {
  if (isForBrowsers(from)) return packagesForBrowsers.test(packageOf(name)) ? undefined : 'is not for browsers'
  if (name.startsWith('node:') || isForTests(from)) return undefined
  if (packageOf(name) === 'nats' && !from.startsWith('services/kernel/bus/'))
    return 'only services/kernel/bus may use NATS'
  const isServed = /^(services|edge)\//.test(from)
  return isServed && !dependencies.has(packageOf(name)) ? 'is not in "dependencies" of package.json' : undefined
}

/**
 * Imports that cross a boundary: a service calls another by its typed client only, only the kernel's bus talks to NATS,
 * and deployed code uses no development package.
 * @param dependencies names in "dependencies" of package.json
 */
export function crossings(files: SourceFile[], dependencies: Set<string>): string[] {
  return files.flatMap(file =>
    importsOf(file).flatMap(name => {
      const isOurs = /^(services|edge|cli|gen|test|bench)\//.test(name)
      const reason = isOurs ? forbidden(file.path, name) : forbiddenPackage(file.path, name, dependencies)
      return reason ? [`${file.path}: ${name}: ${reason}`] : []
    }),
  )
}

const mostLines = 400

/** Files of more than 400 lines, which hold two ideas. */
export function tooLong(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    return lines > mostLines ? [`${path}: ${lines} lines, at most ${mostLines}`] : []
  })
}

/** Patterns forbidden in every line; the linter handles `any` and silenced type checks. */
const bans = [
  // In halves, so that this file doesn't match itself.
  {
    pattern: new RegExp(`\\b(${['TO' + 'DO', 'FIX' + 'ME', 'HA' + 'CK'].join('|')})\\b`),
    what: 'a mark of unfinished work',
  },
  {
    pattern: /\bcreate(Connection|Pool)\(/,
    what: 'a database connection that skips TLS verification: use connectDatabase or databaseConnection',
    // The implementation, and the private server on the loopback.
    allowed: (path: string) =>
      isForTests(path) || /^(services\/kernel\/database\/|cli\/stack\/mariadb\.ts$)/.test(path),
  },
  { pattern: /\bas unknown as\b/, what: 'a double cast', allowed: isForTests },
  {
    pattern: /^\s*\w+\.(only|skip)\(/,
    what: 'a skipped or exclusive test',
    // A skipped test reports that LibreOffice is missing and can't be installed.
    allowed: (path: string) => path.endsWith('.libreoffice.test.ts'),
  },
]

/** Lines that cast twice, are marked unfinished, or skip tests. */
export function unclean(files: SourceFile[]): string[] {
  return files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const matches = bans.filter(({ pattern, allowed }) => pattern.test(line) && !allowed?.(path))
      return matches.map(({ what }) => `${path}:${index + 1}: ${what}: ${line.trim()}`)
    }),
  )
}
