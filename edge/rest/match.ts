import type { Route } from './routes.ts'

type Node = { literals: Map<string, Node>; parameter: Node | undefined; routes: Map<string, Route> }

/** The result of matching a path. */
export type Match =
  | { kind: 'route'; route: Route; values: string[] }
  | { kind: 'wrong-verb'; allowed: string[] }
  | { kind: 'none' }

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() })

/**
 * Finds routes by path. A literal segment takes precedence over a parameter, whatever the order of declaration; case
 * and a trailing slash are ignored. Throws when two routes collide.
 */
export function matcher(routes: Route[]): (verb: string, path: string) => Match {
  const root = newNode()
  for (const route of routes) {
    let node = root
    for (const segment of route.segments) {
      if (typeof segment === 'string') {
        const literal = segment.toLowerCase()
        let next = node.literals.get(literal)
        if (!next) node.literals.set(literal, (next = newNode()))
        node = next
      } else node = node.parameter ??= newNode()
    }
    const existingRoute = node.routes.get(route.verb)
    if (existingRoute)
      throw new Error(`${route.verb} ${route.path} is served by ${existingRoute.method.name} and ${route.method.name}`)
    node.routes.set(route.verb, route)
  }

  return (verb, path) => {
    const parts = path.split('/')
    if (parts.at(-1) === '') parts.pop()
    parts.shift()
    const allowedVerbs = new Set<string>()
    const routeMatch = findRoute(root, parts, 0, [], verb, allowedVerbs)
    if (routeMatch) return routeMatch
    return allowedVerbs.size > 0 ? { kind: 'wrong-verb', allowed: [...allowedVerbs] } : { kind: 'none' }
  }
}

function findRoute(
  node: Node,
  parts: string[],
  index: number,
  values: string[],
  verb: string,
  allowedVerbs: Set<string>,
): Match | undefined {
  const part = parts[index]
  if (part === undefined) {
    const route = node.routes.get(verb)
    if (route) return { kind: 'route', route, values }
    for (const allowedVerb of node.routes.keys()) allowedVerbs.add(allowedVerb)
    return undefined
  }
  const literal = node.literals.get(part.toLowerCase())
  const literalMatch = literal && findRoute(literal, parts, index + 1, values, verb, allowedVerbs)
  if (literalMatch || !node.parameter || part === '') return literalMatch
  return findRoute(node.parameter, parts, index + 1, [...values, part], verb, allowedVerbs)
}
