import { Router } from 'express'
import { isFields, type JsonFields } from '../wire.ts'
import { formOf, listOf } from './fields.ts'
import { notFound, type PaymentStore, type Resource } from './store.ts'

/** Products, prices and past events, read-only. */
export function catalogueRoutes(store: PaymentStore): Router {
  const router = Router()
  const kinds: [path: string, kind: string, listAll: () => Resource[]][] = [
    ['products', 'product', () => [...store.products.values()]],
    ['prices', 'price', () => [...store.prices.values()]],
    ['events', 'event', () => store.events.items],
  ]
  for (const [path, kind, listAll] of kinds) {
    router.get(`/${path}`, (_req, res) => {
      const form = formOf(res)
      const list = listOf(
        res,
        listAll().filter(item => matches(item, form)),
        form,
        `/v1/${path}`,
      )
      if (list) res.json(list)
    })
    router.get(`/${path}/:id`, (req, res) => {
      const item = listAll().find(resource => resource.id === req.params.id)
      if (!item) return notFound(res, kind, req.params.id)
      res.json(item)
    })
  }
  return router
}

function matches(item: Resource, form: JsonFields): boolean {
  const listParameter = (name: string) => {
    const value = form[name]
    return Array.isArray(value) ? value : isFields(value) ? Object.values(value) : undefined
  }
  const plain = ['product', 'currency', 'type'].every(name => form[name] === undefined || item[name] === form[name])
  const active = form['active'] === undefined || String(item['active']) === form['active']
  return (
    plain &&
    active &&
    (listParameter('lookup_keys')?.includes(item['lookup_key']) ?? true) &&
    (listParameter('ids')?.includes(item.id) ?? true)
  )
}
