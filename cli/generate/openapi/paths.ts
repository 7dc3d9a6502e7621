import type { Route } from '../../../edge/rest/routes.ts'

const verbs = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** A path in the documented form, with its parameters in order. */
export type Path = { text: string; parameters: string[] }

/**
 * Names the parameters of paths: /teams/{teamId}. OpenAPI treats paths that differ only in parameter names as the same,
 * so the first of them names the parameters of all.
 */
export function pathsOf(routes: Route[]): (route: Route) => Path {
  const byShape = new Map<string, Path>()
  for (const route of inVerbOrder(routes)) if (!byShape.has(shapeOf(route))) byShape.set(shapeOf(route), pathOf(route))
  return route => byShape.get(shapeOf(route)) ?? pathOf(route)
}

function pathOf({ segments }: Route): Path {
  const parts = segments.map(part => (typeof part === 'string' ? part : `{${part.jsonName}}`))
  const parameters = segments.filter(part => typeof part !== 'string').map(field => field.jsonName)
  return { text: `/${parts.join('/')}`, parameters }
}

const shapeOf = ({ segments }: Route): string =>
  segments.map(part => (typeof part === 'string' ? part : '{}')).join('/')

/** Routes of one path in reading order: GET first, DELETE last. */
export const inVerbOrder = (routes: Route[]): Route[] =>
  routes.toSorted((a, b) => verbs.indexOf(a.verb) - verbs.indexOf(b.verb))
