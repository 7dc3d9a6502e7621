type Fields = Record<string, unknown>
type Operation = Fields & { operationId: string; tags: string[] }

/** The parts of an OpenAPI document that a merge looks at. */
export type OpenApi = Fields & {
  info: { title: string; description: string; version: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: Record<string, Fields>
}

/**
 * One document of several. Services of one listener have no path in common but those of the edge (DECISIONS 1); of
 * components, tags and operations they may have the names, so that each gets its service's in front.
 */
export function merged(parts: { name: string; document: OpenApi }[]): OpenApi {
  const [first, ...others] = parts.map(({ name, document }) => prefixed(name, document))
  if (!first) throw new Error('nothing to merge')
  return others.reduce(
    (whole, { info, tags, paths, components }) => ({
      ...whole,
      info: {
        ...whole.info,
        title: `${whole.info.title}, ${info.title.toLowerCase()}`,
        description: `${whole.info.description}\n\n## ${info.title}\n\n${info.description}`,
      },
      tags: [...whole.tags, ...tags],
      // What the edge answers itself is the same in all.
      paths: { ...paths, ...whole.paths },
      components: mapValues({ ...components, ...whole.components }, (_own, kind) => ({
        ...whole.components[kind],
        ...components[kind],
      })),
    }),
    first,
  )
}

function prefixed(name: string, document: OpenApi): OpenApi {
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
      })),
    ),
    // Schemes are named by key, not by reference, and the same in all.
    components: mapValues(components, (own, kind) =>
      kind === 'securitySchemes'
        ? own
        : Object.fromEntries(Object.entries(own).map(([key, one]) => [`${name}.${key}`, one])),
    ),
  } as OpenApi
}

const mapValues = <From, To>(
  from: Record<string, From>,
  change: (value: From, key: string) => To,
): Record<string, To> => Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]))
