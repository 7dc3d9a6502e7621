type Fields = Record<string, unknown>
type Operation = Fields & { operationId: string; tags: string[] }

/** The parts of an OpenAPI document that a merge reads. */
export type OpenApi = Fields & {
  info: { title: string; description: string; version: string }
  tags: { name: string; description: string }[]
  servers: { url: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Fields>
}

/**
 * Merges several documents. Services share no path but those of the edge. Names of components, tags and operations may
 * collide, so each gets its service's name as a prefix.
 */
export function mergeDocuments(parts: { name: string; document: OpenApi }[]): OpenApi {
  const [first, ...others] = parts.map(({ name, document }) => prefixNames(name, document))
  if (!first) throw new Error('nothing to merge')
  return others.reduce(
    (merging, { tags, paths, components }) => ({
      ...merging,
      info: { ...merging.info, title: 'Hospitality platform' },
      tags: [...merging.tags, ...tags],
      // The edge's own routes are the same in all.
      paths: { ...paths, ...merging.paths },
      components: mapValues({ ...components, ...merging.components }, (_own, kind) => ({
        ...merging.components[kind],
        ...components[kind],
      })),
    }),
    first,
  )
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
