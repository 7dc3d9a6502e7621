import { invalid } from '../kernel/base/errors.ts'

/**
 * Where a field goes by two names: ValidationError when both are given and say different things, since taking either
 * would be a guess.
 */
export function assertSame<Name extends string>(given: { [name in Name]?: unknown }, name: Name, other: Name): void {
  if (given[name] === undefined || given[other] === undefined || given[name] === given[other]) return
  throw invalid(other, `differs from ${name}`, 'same')
}
