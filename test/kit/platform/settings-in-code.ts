import type { SourceFile } from '../../../cli/sources.ts'
import { listeners } from '../../../edge/config.ts'
import { serviceNames } from '../../../services/kernel/rpc/host.ts'

/** A setting that the code reads, with its file, and its default if that is a plain value. */
export type Setting = { name: string; path: string; fallback: string | undefined }

/** Files that read settings, without tests and what only tests use. */
const reads = (path: string): boolean =>
  /^(services|edge|cli)\//.test(path) && !/\.test\.ts$|^cli\/(fixtures|test-run)\/|^cli\/test\.ts$/.test(path)

/** Names owned by the system or Node, and switches of tests. */
const foreignNames = new Set(['PATH', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE', 'FAILPOINT', 'RECORD_SHAPES'])

const name = '[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*'
/** env['NAME'], env.NAME, process.env['NAME'] … */
const envAccess = new RegExp(`\\benv(?:\\.|\\[')(${name})\\b`, 'g')
/**
 * readSetting(env, 'PREFIX', 'NAME'), and functions that call it with the name alone: setting('NAME'), text('NAME').
 */
const settingCall = new RegExp(`\\b(?:readSetting\\([^)]*|setting\\(|text\\()'(${name})'\\)`, 'g')
/** NAME: integer(0, 9).default(1), in the shapes that readSettings() reads; up to the next one. */
const schemaEntry = new RegExp(`(?<![\\w'"\`.])(${name}): ((?:(?!${name}: )[\\s\\S])*)`, 'g')

/** The default in a schema, if it is a plain value. */
function fallbackOf(schema: string): string | undefined {
  const { text, number } = /\.default\(\s*(?:'(?<text>[^']*)'|(?<number>\d[\d_]*))\s*\)/.exec(schema)?.groups ?? {}
  return text ?? number?.replaceAll('_', '')
}

const settingsOfFile = (path: string, text: string): Setting[] => [
  ...[...text.matchAll(envAccess), ...text.matchAll(settingCall)].map(match => ({
    name: match[1] ?? '',
    path,
    fallback: undefined,
  })),
  ...(/\breadSettings\(/.test(text) && /from '.*\/config\.ts'/.test(text)
    ? [...text.matchAll(schemaEntry)].map(match => ({
        name: match[1] ?? '',
        path,
        fallback: fallbackOf(match[2] ?? ''),
      }))
    : []),
]

/** Settings whose names are composed from the services' names. */
const composedSettings = (): Setting[] => [
  ...Object.values(listeners).map(({ setting, port }) => ({
    name: setting,
    path: 'edge/config.ts',
    fallback: String(port),
  })),
  ...serviceNames.flatMap((service, place) => {
    const prefix = service.toUpperCase()
    return [
      { name: `${prefix}_RPC_PORT`, path: 'services/kernel/rpc/remote-services.ts', fallback: String(4000 + place) },
      {
        name: `${prefix}_RPC_URL`,
        path: 'services/kernel/rpc/remote-services.ts',
        fallback: `http://127.0.0.1:${4000 + place}`,
      },
      { name: `${prefix}_DATABASE_URL`, path: 'services/kernel/process/config.ts', fallback: undefined },
    ]
  }),
  ...[...serviceNames, 'edge', 'operator'].map(account => ({
    name: `${account.toUpperCase()}_AMQP_GATEWAY_URL`,
    path: 'services/kernel/bus/address.ts',
    fallback: undefined,
  })),
  ...['NEWS', 'NOTIFICATION'].map(service => ({
    name: `${service}_MEMBER_DATABASE_URL`,
    path: 'services/kernel/process/config.ts',
    fallback: undefined,
  })),
]

/** Every setting that the sources read. */
export const settingsIn = (files: SourceFile[]): Setting[] =>
  [
    ...files.filter(({ path }) => reads(path)).flatMap(({ path, text }) => settingsOfFile(path, text)),
    ...composedSettings(),
  ].filter(setting => !foreignNames.has(setting.name))
