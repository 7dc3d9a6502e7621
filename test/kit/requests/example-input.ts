import type { ExamplePerson, ExampleWorld } from './example-world.ts'

/** An example's input: values by the names of its fields, and its sender. */
export type ExampleInput = {
  values?: Record<string, unknown>
  /** Null for an anonymous call; the hotel's administrator by default. */
  token?: string | null
  key?: string
  /** Headers derived from the body. */
  headersFor?: (body: string) => Record<string, string>
}
export type Bind = (world: ExampleWorld) => Promise<ExampleInput> | ExampleInput

/** An example sent by a separate person, unless stated otherwise. */
export const withNewPerson =
  (inputFor: (somebody: ExamplePerson, world: ExampleWorld) => Promise<ExampleInput> | ExampleInput): Bind =>
  async world => {
    const somebody = await world.person()
    return { token: somebody.token, ...(await inputFor(somebody, world)) }
  }

/** Like `withNewPerson`, with one colleague shared by all examples that don't affect them. */
export const withColleague =
  (inputFor: (somebody: ExamplePerson, world: ExampleWorld) => Promise<ExampleInput> | ExampleInput): Bind =>
  async world => {
    const somebody = await world.colleague()
    return { token: somebody.token, ...(await inputFor(somebody, world)) }
  }
