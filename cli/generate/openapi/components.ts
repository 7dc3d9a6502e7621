import type { Schema } from './schema.ts'

type Components = Record<string, Record<string, Schema>>

/** The components that the paths refer to, directly or indirectly. */
export function usedComponents(paths: Schema, all: Components): Components {
  const used = new Set<string>()
  const follow = (from: unknown): void => {
    for (const [, kind = '', name = ''] of JSON.stringify(from).matchAll(/"#\/components\/(\w+)\/([\w.-]+)"/g)) {
      const key = `${kind}/${name}`
      const component = all[kind]?.[name]
      if (!component) throw new Error(`nothing is at ${key}`)
      if (used.has(key)) continue
      used.add(key)
      follow(component)
    }
  }
  follow(paths)
  const kept = Object.entries(all).map(([kind, own]) => {
    const rows = Object.entries(own).filter(([name]) => used.has(`${kind}/${name}`))
    return [kind, Object.fromEntries(rows)] as const
  })
  return Object.fromEntries(kept.filter(([, own]) => Object.keys(own).length > 0))
}
