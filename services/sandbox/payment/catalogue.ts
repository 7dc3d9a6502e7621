import { Router } from 'express'
import { type Fields, isFields } from '../wire.ts'
import { formOf, listOf } from './fields.ts'
import { missing, type PaymentStore, type Resource } from './store.ts'

/** Products, prices and past events, read-only. */
export function catalogueRoutes(store: PaymentStore): Router {
  const router = Router()
  const kinds: [path: string, what: string, all: () => Resource[]][] = [
    ['products', 'product', () => [...store.products.values()]],
    ['prices', 'price', () => [...store.prices.values()]],
    ['events', 'event', () => store.events.items],
  ]
  for (const [path, what, all] of kinds) {
    router.get(`/${path}`, (_req, res) => {
      const form = formOf(res)
      const list = listOf(
        res,
        all().filter(item => matches(item, form)),
        form,
        `/v1/${path}`,
      )
      if (list) res.json(list)
    })
    router.get(`/${path}/:id`, (req, res) => {
      const item = all().find(each => each.id === req.params.id)
      if (!item) return missing(res, what, req.params.id)
      res.json(item)
    })
  }
  return router
}

function matches(item: Resource, form: Fields): boolean {
  const named = (name: string) => {
    const given = form[name]
    return Array.isArray(given) ? given : isFields(given) ? Object.values(given) : undefined
  }
  const plain = ['product', 'currency', 'type'].every(name => form[name] === undefined || item[name] === form[name])
  const active = form['active'] === undefined || String(item['active']) === form['active']
  return (
    plain &&
    active &&
    (named('lookup_keys')?.includes(item['lookup_key']) ?? true) &&
    (named('ids')?.includes(item.id) ?? true)
  )
}
