import type { Violation as RuleViolation } from '@bufbuild/protovalidate'
import type { Violation } from '../base/errors.ts'

/** What protovalidate says, in the words of the platform. */
const plainly = new Map([
  ['value is required', 'is required'],
  ['must be at least 1 characters', 'is required'],
  ['does not match regex pattern `^[0-9a-f]{24}$`', 'must be an id of 24 hexadecimal digits'],
])

/** Violations of proto constraints with paths as the client wrote them: medias[0].fileUrl. */
export function violationsOf(violations: RuleViolation[]): Violation[] {
  return violations.map(({ field, message, ruleId }) => {
    let path = ''
    for (const segment of field) {
      if (segment.kind === 'field') path += path ? `.${segment.jsonName}` : segment.jsonName
      else if (segment.kind === 'list_sub') path += `[${segment.index}]`
      else if (segment.kind === 'map_sub') path += `.${String(segment.key)}`
    }
    return { path, message: plainly.get(message) ?? message, rule: ruleId }
  })
}
