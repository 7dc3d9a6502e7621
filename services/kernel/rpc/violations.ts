import type { Violation as RuleViolation } from '@bufbuild/protovalidate'
import type { Violation } from '../base/errors.ts'

/** Violations of proto constraints with paths as the client wrote them: medias[0].fileUrl. */
export function violationsOf(violations: RuleViolation[]): Violation[] {
  return violations.map(violation => {
    let path = ''
    for (const segment of violation.field) {
      if (segment.kind === 'field') path += path ? `.${segment.jsonName}` : segment.jsonName
      else if (segment.kind === 'list_sub') path += `[${segment.index}]`
      else if (segment.kind === 'map_sub') path += `.${String(segment.key)}`
    }
    return { path, message: violation.message, rule: violation.ruleId }
  })
}
