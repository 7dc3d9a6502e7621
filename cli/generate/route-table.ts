import { type DescFile, getOption } from '@bufbuild/protobuf'
import { listeners } from '../../edge/config.ts'
import { type Route, routesOf } from '../../edge/rest/routes.ts'
import { type Access, access, Caller, Scope } from '../../gen/platform/options/v1/options_pb.ts'
import { permissionCatalogue, systemRoles } from '../../services/member/rights/catalogue.ts'
import { restServices } from './catalogue.ts'

/** Callers in words. */
const words: Record<Caller, string[]> = {
  [Caller.UNSPECIFIED]: [],
  [Caller.PUBLIC]: ['public'],
  [Caller.PERSON]: ['person'],
  [Caller.PERSON_OR_CREDENTIAL]: ['person', 'credential'],
  [Caller.SERVICE]: ['service key'],
  [Caller.PLATFORM_ADMIN]: ['platform administrator'],
}
export const callersIn = ({ callers }: Access): string[] => callers.flatMap(caller => words[caller] ?? [])

/** Scopes in words. */
export const scopes: Record<Scope, string> = {
  [Scope.UNSPECIFIED]: '',
  [Scope.IDENTITY]: '',
  [Scope.MEMBER]: 'own tenants',
  [Scope.WORKSPACE]: 'workspace',
  [Scope.ECOSYSTEM]: 'ecosystem',
  [Scope.RECORD]: "the record's tenant",
}

type Row = { route: Route; access: Access; rpc: string }

function rowsOf(files: DescFile[]): Row[] {
  return files
    .flatMap(file => file.services.flatMap(routesOf))
    .map(route => ({
      route,
      access: getOption(route.method, access),
      rpc: `${route.method.parent.name}.${route.method.name}`,
    }))
    .toSorted((a, b) => (a.route.path < b.route.path ? -1 : a.route.path > b.route.path ? 1 : 0))
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
const line = (cells: string[]): string => `| ${cells.map(cell).join(' | ')} |`
const table = (head: string[], rows: string[][]): string =>
  [line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n')

const scopeText = ({ scope, scopeField }: Access): string =>
  [scopes[scope], scopeField && `(\`${scopeField}\`)`].filter(Boolean).join(' ')

/** Text of docs/routes.md: every REST route, from the descriptors that serve it. */
export function routesText(files: DescFile[]): string {
  const services = [...restServices(files)].map(([name, serviceFiles]) => {
    const { port, setting, health } = listeners[name as keyof typeof listeners]
    const rows = rowsOf(serviceFiles).map(({ route, access: rule, rpc }) => [
      `${route.verb} \`${route.path}\``,
      String(route.restOptions.status || 200),
      callersIn(rule).join(', '),
      scopeText(rule),
      [
        rule.permission && `\`${rule.permission}\``,
        rule.ownPermission && `\`${rule.ownPermission}\` for own records`,
        rule.ownField && 'none for oneself',
      ]
        .filter(Boolean)
        .join(', '),
      rpc,
      route.restOptions.addition,
    ])
    const head = ['Route', 'Success', 'Caller', 'Tenant', 'Permission', 'RPC', 'Reason of an addition']
    return `## ${health}\n\nPort ${port} (\`${setting}\`).\n\n${table(head, rows)}\n`
  })
  return `# Routes

Written by \`npm run gen\` from the descriptors that the edge serves. Every listener also answers \`GET /health\`,
\`GET /live\`, \`GET /ready\`, \`GET /docs/\` and \`GET /openapi.json\`, sockets on \`/ws\` and \`/\`, and RPCs below \`/rpc\`; the payment
service receives webhooks on \`POST /webhooks/stripe\`. A trailing slash is ignored. For bodies, errors and units, see the
comments in \`proto/\`. A route with a reason in the last column is an addition to the original [contract](contract.md).

${services.join('\n')}`
}

const nameOf = ({ route }: Row): string => `${route.verb} \`${route.path}\``

/** Routes by permission, both in alphabetical order; those without a permission are left out. */
function bySlug(all: Row[], slugOf: (rule: Access) => string): string[][] {
  const groups = Map.groupBy(
    all.filter(({ access: rule }) => slugOf(rule) !== ''),
    ({ access: rule }) => slugOf(rule),
  )
  return [...groups]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([slug, slugRoutes]) => [`\`${slug}\``, slugRoutes.map(nameOf).join('<br>')])
}

/** The built-in permissions of each system role. */
function roleTable(): string {
  const rows = permissionCatalogue
    .filter(one => one.level === 'workspace')
    .map(({ slug, category }) => [
      category,
      `\`${slug}\``,
      ...systemRoles.map(role => (role.permissions.includes(slug) ? 'yes' : '')),
    ])
  return table(['Category', 'Permission', ...systemRoles.map(role => `\`${role.slug}\``)], rows)
}

/** Routes that require no permission, by their callers. */
function openTable(routes: Row[]): string {
  const open = routes.filter(({ access: rule }) => rule.permission === '')
  const byCaller = Map.groupBy(open, ({ access: rule }) =>
    [callersIn(rule).join(', '), scopes[rule.scope]].filter(Boolean).join(', '),
  )
  const rows = [...byCaller]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([caller, callerRoutes]) => [caller, callerRoutes.map(nameOf).join('<br>')])
  return table(['Who', 'Routes'], rows)
}

/** Text of docs/permissions.md: the routes and holders of each permission, and the routes without one. */
export function permissionsText(files: DescFile[]): string {
  const routes = rowsOf(files)
  return `# Permissions

Written by \`npm run gen\` from the access options in \`proto/\`. A permission is checked in the tenant of the call;
platform administrators need none. The comment of an RPC names further requirements of its handler.

${table(
  ['Permission', 'Routes'],
  bySlug(routes, rule => rule.permission),
)}

## Permissions for own records

These permissions also open a route of the table above, but only for the caller's own records; the comment of the RPC
defines which records these are.

${table(
  ['Permission', 'Routes'],
  bySlug(routes, rule => rule.ownPermission),
)}

## System roles

System roles can't be changed. A custom role has at most the permissions of the member who creates it. Owners
and administrators of an ecosystem have every ecosystem permission (${permissionCatalogue
    .filter(one => one.level === 'ecosystem')
    .map(one => `\`${one.slug}\``)
    .join(', ')}); other members have those that they were granted.

${roleTable()}

## Routes without a permission

${openTable(routes)}
`
}
