import type { Response } from 'express'
import type { SandboxState } from '../state.ts'
import { isFields, isText, type JsonFields, plain } from '../wire.ts'
import { type PaymentStore, type Resource, stripeError } from './store.ts'
import type { Webhooks } from './webhooks.ts'

export type Payment = { store: PaymentStore; webhooks: Webhooks; state: SandboxState }

/** The parameters of a request, from query and form body. */
export const formOf = (res: Response): JsonFields => res.locals['form'] as JsonFields

/** Answers 400 for the first parameter that isn't in the list. @returns whether it has answered */
export function refusesUnknown(res: Response, form: JsonFields, parameters: string[]): boolean {
  const unknownName = Object.keys(form).find(name => !parameters.includes(name))
  if (unknownName === undefined) return false
  stripeError(res, 400, `Received unknown parameter: ${unknownName.slice(0, 100)}`, {
    code: 'parameter_unknown',
    param: unknownName.slice(0, 100),
  })
  return true
}

/** Merges metadata; an empty value removes its key. @returns the merged metadata, or an error text */
export function mergeMetadata(metadata: Record<string, string>, change: unknown): Record<string, string> | string {
  if (change === undefined) return metadata
  if (change === '') return {}
  if (!isFields(change)) return 'Invalid object'
  const merged: Record<string, string> = { ...metadata }
  for (const [key, value] of Object.entries(change)) {
    if (key.length > 40 || typeof value !== 'string' || value.length > 500 || key === '__proto__')
      return 'Metadata keys have up to 40 characters, values up to 500.'
    if (value === '') delete merged[key]
    else merged[key] = value
  }
  return Object.keys(merged).length > 50 ? 'Metadata can have up to 50 keys.' : merged
}

/** One page of a list, newest first, with Stripe's cursors. Undefined when it has answered with an error. */
export function listOf<T extends Resource>(res: Response, items: T[], query: JsonFields, url: string) {
  const limit = query['limit'] === undefined ? 10 : Number(plain(query['limit']) || Number.NaN)
  if (!Number.isInteger(limit) || limit < 1 || limit > 100) {
    return stripeError(res, 400, 'This value must be from 1 to 100.', {
      code: 'parameter_invalid_integer',
      param: 'limit',
    })
  }
  let pool = [...items].reverse()
  for (const param of ['starting_after', 'ending_before']) {
    const cursor = query[param]
    if (cursor === undefined) continue
    const index = pool.findIndex(item => item.id === cursor)
    if (index < 0)
      return stripeError(res, 404, `No such object: '${plain(cursor).slice(0, 100)}'`, {
        code: 'resource_missing',
        param,
      })
    pool = param === 'starting_after' ? pool.slice(index + 1) : pool.slice(Math.max(0, index - limit), index)
  }
  return { object: 'list', url, has_more: pool.length > limit, data: pool.slice(0, limit) }
}

/** Replaces ids by their objects along the `expand` paths, on a copy. Ignores unknown paths. */
export function expand(store: PaymentStore, answer: unknown, paths: unknown): unknown {
  const expandPaths = (Array.isArray(paths) ? paths : isFields(paths) ? Object.values(paths) : []).filter(path =>
    isText(path, 200),
  )
  if (expandPaths.length === 0) return answer
  const copy: unknown = structuredClone(answer)
  for (const path of expandPaths.slice(0, 20)) walk(store, copy, path.split('.').slice(0, 5))
  return copy
}

function walk(store: PaymentStore, node: unknown, [key, ...rest]: string[]) {
  if (Array.isArray(node)) {
    for (const child of node) walk(store, child, key === undefined ? [] : [key, ...rest])
    return
  }
  if (!isFields(node) || key === undefined || !Object.hasOwn(node, key)) return
  const value = node[key]
  if (typeof value === 'string') node[key] = structuredClone(lookUp(store, value)) ?? value
  walk(store, node[key], rest)
}

const lookUp = (store: PaymentStore, id: string): Resource | undefined =>
  store.customers.get(id) ?? store.products.get(id) ?? store.prices.get(id) ?? store.subscriptions.get(id)
