import type { ExampleWorld, Somebody } from './example-world.ts'

/** What an example is sent with: values by the names of its fields, and who sends it. */
export type Bound = {
  with?: Record<string, unknown>
  /** Null for nobody; the hotel's administrator otherwise. */
  token?: string | null
  key?: string
  /** Headers that follow from the body. */
  headersFor?: (body: string) => Record<string, string>
}
export type Bind = (world: ExampleWorld) => Promise<Bound> | Bound

/** An example that somebody of their own sends, unless it says otherwise. */
export const own =
  (more: (somebody: Somebody, world: ExampleWorld) => Promise<Bound> | Bound): Bind =>
  async world => {
    const somebody = await world.person()
    return { token: somebody.token, ...(await more(somebody, world)) }
  }

/** The same with a colleague who takes no harm, and so is one and the same for all. */
export const shared =
  (more: (somebody: Somebody, world: ExampleWorld) => Promise<Bound> | Bound): Bind =>
  async world => {
    const somebody = await world.colleague()
    return { token: somebody.token, ...(await more(somebody, world)) }
  }
