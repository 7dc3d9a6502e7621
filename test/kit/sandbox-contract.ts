import { suite } from './kit.ts'

type Test = ReturnType<typeof suite>

/** What a contract suite runs against. */
export type Target<Place> = Place & {
  /** The provider itself, whose data are not ours: what is made there is taken away again, and nobody unknown is written to. */
  isReal: boolean
}

type Places<Place, Needed extends string, Also extends string> = {
  sandbox: Place
  /** Settings without which the provider itself cannot be asked, each read from CONTRACT_<name>. */
  needs: readonly Needed[]
  /** Settings that more can be tried with. */
  takes?: readonly Also[]
  real(settings: Record<Needed, string> & Partial<Record<Also, string>>): Place
}

/**
 * Runs the suite of an adapter against the sandbox, and against the provider itself when the variables for that are set
 * (docs/guides/providers.md). Without them that half counts as skipped, and says what is missing.
 */
export function contract<Place, Needed extends string, Also extends string = never>(
  what: string,
  { sandbox, needs, takes = [], real }: Places<Place, Needed, Also>,
  define: (test: Test, target: Target<Place>) => void,
): void {
  const run = (name: string, target: Target<Place>) => {
    const test = suite(name)
    define(test, target)
    test.run()
  }
  run(`the contract of ${what}, in the sandbox`, { ...sandbox, isReal: false })
  const read = settingsOf([...needs, ...takes])
  const missing = needs.filter(name => read[name] === undefined).map(name => `CONTRACT_${name}`)
  const name = `the contract of ${what}, by the provider itself`
  if (missing.length > 0) notProven(name, missing)
  else run(name, { ...real(read as Record<Needed, string> & Partial<Record<Also, string>>), isReal: true })
}

/** A suite that cannot run for want of variables: it counts as skipped, and says so. */
export function notProven(name: string, missing: readonly string[]): void {
  const test = suite(name)
  const title = `NOT PROVEN: ${name}; not set: ${missing.join(', ')}`
  console.log(title)
  const unproven = test.skip
  unproven(title, () => undefined)
  test.run()
}

/** Values with line breaks, as keys have them, may write them as \n. */
const settingsOf = (names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map(name => [name, process.env[`CONTRACT_${name}`]?.replaceAll('\\n', '\n') || undefined]))
