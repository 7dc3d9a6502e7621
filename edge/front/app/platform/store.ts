import { useEffect, useState } from 'preact/hooks'

/** A value that components follow. */
export type Store<Value> = {
  get(): Value
  set(next: Value | ((current: Value) => Value)): void
  subscribe(listener: (value: Value) => void): () => void
}

export function createStore<Value>(first: Value): Store<Value> {
  let value = first
  const listeners = new Set<(value: Value) => void>()
  return {
    get: () => value,
    set(next) {
      const nextValue = typeof next === 'function' ? (next as (current: Value) => Value)(value) : next
      if (Object.is(nextValue, value)) return
      value = nextValue
      for (const listener of listeners) listener(value)
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The store's value, now and after each change. */
export function useStore<Value>(store: Store<Value>): Value {
  const [value, setValue] = useState(store.get)
  useEffect(() => {
    setValue(() => store.get())
    return store.subscribe(next => setValue(() => next))
  }, [store])
  return value
}
