import { assert, refusal, type suite } from '../kit.ts'

type Thing<T> = {
  /** How a new thing gets into each state. */
  states: Record<string, (thing: T) => Promise<unknown>>
  make(): Promise<T>
  stateOf(thing: T): Promise<string>
  /** Per trigger the result for each state, in the order of `states`. */
  triggers: Record<string, { run(thing: T): Promise<unknown>; to: (string | number)[] }>
}

/** Creates the tests of a thing: one per trigger, each over all states. */
export const statesOf =
  (test: ReturnType<typeof suite>) =>
  <T>(name: string, { states, make, stateOf, triggers }: Thing<T>): void => {
    for (const [trigger, { run, to }] of Object.entries(triggers))
      test(`${name}: ${trigger}, in every state`, async () => {
        assert.is(to.length, Object.keys(states).length)
        for (const [index, [state, enter]] of Object.entries(states).entries()) {
          const thing = await make()
          await enter(thing)
          assert.is(await stateOf(thing), state)
          const result = to[index] ?? 0
          if (typeof result === 'number') assert.is((await refusal(run(thing))).info.status, result, `from ${state}`)
          else await run(thing)
          assert.is(await stateOf(thing), typeof result === 'number' ? state : result, `from ${state}`)
        }
      })
  }
