type Fields = Record<string, unknown>
type Server = { url: string }
type Operation = Fields & { operationId: string; tags: string[]; servers: Server[] }
type Paths = Record<string, Record<string, Operation>>

/** The parts of an OpenAPI document that a merge reads. */
export type OpenApi = Fields & {
  info: { title: string; description: string; version: string }
  tags: { name: string; description: string }[]
  servers: Server[]
  paths: Paths
  components: Record<string, Fields>
}

/**
 * Merges several documents. Names of components, tags and operations may collide, so each gets its service's name as a
 * prefix.
 */
export function mergeDocuments(parts: { name: string; document: OpenApi }[]): OpenApi {
  const [first, ...otherDocuments] = parts.map(({ name, document }) => prefixNames(name, document))
  if (!first) throw new Error('nothing to merge')
  return otherDocuments.reduce(
    (merging, { tags, paths, components }) => ({
      ...merging,
      info: { ...merging.info, title: 'Hospitality platform' },
      tags: [...merging.tags, ...tags],
      paths: mergePaths(merging.paths, paths),
      components: mapValues({ ...components, ...merging.components }, (_own, kind) => ({
        ...merging.components[kind],
        ...components[kind],
      })),
    }),
    first,
  )
}

/** The edge's own routes are the same in all. A route that another service has, too, gets its service's folder. */
function mergePaths(first: Paths, second: Paths): Paths {
  const mergedPaths = structuredClone(first)
  for (const [path, operations] of Object.entries(second))
    for (const [verb, operation] of Object.entries(operations)) {
      const isTaken = mergedPaths[path]?.[verb] !== undefined
      const folder = operation.servers[0]?.url.slice(1) ?? ''
      // On one port, the first service answers.
      if (isTaken && (operation['x-edge'] || folder === '')) continue
      const pathItem = (mergedPaths[isTaken ? folder + path : path] ??= {})
      pathItem[verb] = isTaken ? { ...operation, servers: [{ url: '.' }] } : operation
    }
  return mergedPaths
}

function prefixNames(name: string, document: OpenApi): OpenApi {
  const text = JSON.stringify(document).replaceAll(/"#\/components\/(\w+)\//g, `"#/components/$1/${name}.`)
  const { tags, paths, components, ...rest } = JSON.parse(text) as OpenApi
  return {
    ...rest,
    tags: tags.map(tag => ({ ...tag, name: `${name}: ${tag.name}` })),
    paths: mapValues(paths, path =>
      mapValues(path, operation => ({
        ...operation,
        operationId: `${name}.${operation.operationId}`,
        tags: operation.tags.map(tag => `${name}: ${tag}`),
        servers: rest.servers,
      })),
    ),
    // Schemes are named by key, not by reference, and the same in all.
    components: mapValues(components, (definitions, kind) =>
      kind === 'securitySchemes'
        ? definitions
        : Object.fromEntries(Object.entries(definitions).map(([key, one]) => [`${name}.${key}`, one])),
    ),
  } as OpenApi
}

const mapValues = <From, To>(
  from: Record<string, From>,
  change: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]))
