import { suite } from './kit.ts'

type Test = ReturnType<typeof suite>

/** The target of a contract suite. */
export type Target<Place> = Place & {
  /** The real provider, whose data must be cleaned up, and which must not contact strangers. */
  isReal: boolean
}

type Places<Place, Needed extends string, Also extends string> = {
  sandbox: Place
  /** Settings required for the real provider, each read from CONTRACT_<name>. */
  needs: readonly Needed[]
  /** Settings that allow further tests. */
  takes?: readonly Also[]
  real(settings: Record<Needed, string> & Partial<Record<Also, string>>): Place
}

/**
 * Runs an adapter's suite against the sandbox, and against the real provider when its variables are set
 * (docs/guides/providers.md). Otherwise that half counts as skipped, and names what is missing.
 */
export function contract<Place, Needed extends string, Also extends string = never>(
  subject: string,
  { sandbox, needs, takes = [], real }: Places<Place, Needed, Also>,
  define: (test: Test, target: Target<Place>) => void,
): void {
  const run = (name: string, target: Target<Place>) => {
    const test = suite(name)
    define(test, target)
    test.run()
  }
  run(`the contract of ${subject}, in the sandbox`, { ...sandbox, isReal: false })
  const read = settingsOf([...needs, ...takes])
  const missingVariables = needs.filter(name => read[name] === undefined).map(name => `CONTRACT_${name}`)
  const name = `the contract of ${subject}, by the provider itself`
  if (missingVariables.length > 0) notProven(name, missingVariables)
  else run(name, { ...real(read as Record<Needed, string> & Partial<Record<Also, string>>), isReal: true })
}

/** Marks a suite as skipped for missing variables, and names them. */
export function notProven(name: string, missingVariables: readonly string[]): void {
  const test = suite(name)
  const title = `NOT PROVEN: ${name}; not set: ${missingVariables.join(', ')}`
  console.log(title)
  const unproven = test.skip
  unproven(title, () => undefined)
  test.run()
}

/** Values with line breaks, such as keys, may write them as \n. */
const settingsOf = (names: readonly string[]): Record<string, string | undefined> =>
  Object.fromEntries(names.map(name => [name, process.env[`CONTRACT_${name}`]?.replaceAll('\\n', '\n') || undefined]))
