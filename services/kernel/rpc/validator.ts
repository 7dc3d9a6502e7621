import type { DescMessage, Message } from '@bufbuild/protobuf'
import { createValidator, type Violation as RuleViolation } from '@bufbuild/protovalidate'
import { ValidationError, type Violation } from '../base/errors.ts'
import { checkTexts } from '../json/texts.ts'

const compiled = new Map<string, RegExp>()

/**
 * Validates messages against the constraints of their proto. The patterns are the platform's own, and test/contract
 * restricts them to linear-time forms, so Node's regex engine matches them: the library's engine, made for untrusted
 * patterns, is several times slower for every id.
 */
export const validator = createValidator({
  regexMatch(pattern, text) {
    let expression = compiled.get(pattern)
    if (!expression) {
      expression = new RegExp(pattern, 'u')
      compiled.set(pattern, expression)
    }
    return expression.test(text)
  },
})

/** Normalises a message and checks its texts and constraints. Throws a ValidationError. */
export function requireValid(desc: DescMessage, message: Message): void {
  const texts = checkTexts(desc, message)
  const result = validator.validate(desc, message)
  if (result.kind === 'error') throw result.error
  const violations = result.kind === 'invalid' ? [...texts, ...violationsOf(result.violations)] : texts
  if (violations.length > 0) throw new ValidationError(violations)
}

/** An address that clients follow: http or https, or without a scheme. */
const webAddress = '^([Hh][Tt][Tt][Pp][Ss]?:/|[^:/?#\\x00-\\x1f\\x7f]{0,255})([/?#][^\\x00-\\x1f\\x7f]*)?$'

/** What a pattern asks for, as a client's form shows it. */
const forms: Readonly<Record<string, string>> = {
  '^[0-9a-f]{24}$': 'must be an id of 24 hexadecimal digits',
  [webAddress]: 'must be a web address, http or https or without a scheme',
  '^[A-Za-z0-9][A-Za-z0-9_-]*$': 'must consist of letters, digits, - and _, and begin with a letter or a digit',
  '^[0-9]{6}$': 'must be six digits',
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': 'must be a time of day such as 14:30',
  '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$': 'must be a colour such as #1a2b3c',
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$': 'must be a language such as fr or pt-BR',
  '^[A-Z]{3}$': 'must be a currency such as EUR',
  '^[0-9]{4}-[0-9]{2}-[0-9]{2}$': 'must be a date such as 2026-11-29',
}

/** What protovalidate says, in the words of the platform. */
const plainly = new Map([
  ['value is required', 'is required'],
  ['must be at least 1 characters', 'is required'],
  ['value is empty, which is not a valid email address', 'is required'],
  ...Object.entries(forms).map(([pattern, form]) => [`does not match regex pattern \`${pattern}\``, form] as const),
])

/** Violations of proto constraints with paths as the client wrote them: medias[0].fileUrl. */
function violationsOf(violations: RuleViolation[]): Violation[] {
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
