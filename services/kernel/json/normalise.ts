import { type DescField, type DescMessage, getOption, type Message } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'

type Fields = Record<string, unknown>
type Fix = (text: string) => string
type Step = (message: Message) => void

const idPattern = /^\^\(?\[0-9a-f\]\{24\}\)?\??\$$/
const anId = /^[0-9A-Fa-f]{24}$/

const trimmed: Fix = text => text.trim()
const inLowerCase: Fix = text => (anId.test(text) ? text.toLowerCase() : text)

/** Steps by message type. A type in progress has none yet, so that a recursive one ends. */
const known = new Map<DescMessage, Step[]>()

/**
 * Normalises texts where their constraint allows it: e-mail addresses lose surrounding blanks, ids become lower case
 * [D271]. Runs before validation on every surface.
 */
export function normalise(desc: DescMessage, message: Message): void {
  for (const step of stepsOf(desc)) step(message)
}

function stepsOf(desc: DescMessage): Step[] {
  const present = known.get(desc)
  if (present) return present
  const steps: Step[] = []
  known.set(desc, steps)
  for (const field of desc.fields) {
    const step = stepOf(field)
    if (step) steps.push(step)
  }
  return steps
}

function stepOf(field: DescField): Step | undefined {
  const { localName, oneof, message: nested } = field
  if (oneof || field.fieldKind === 'map') return undefined
  if (nested) {
    if (nested.typeName.startsWith('google.protobuf.') || stepsOf(nested).length === 0) return undefined
    return to => {
      const value = (to as Fields)[localName] as Message | Message[] | undefined
      if (Array.isArray(value)) for (const one of value) normalise(nested, one)
      else if (value) normalise(nested, value)
    }
  }
  const rules: FieldRules | undefined = getOption(field, rulesOption)
  if (field.fieldKind === 'list') {
    const fix = fixOf(rules.type.case === 'repeated' ? rules.type.value.items : undefined)
    return fix && (to => Object.assign(to, { [localName]: ((to as Fields)[localName] as string[]).map(fix) }))
  }
  const fix = fixOf(rules)
  if (!fix) return undefined
  return to => {
    const value = (to as Fields)[localName]
    if (typeof value === 'string') (to as Fields)[localName] = fix(value)
  }
}

function fixOf(rules: FieldRules | undefined): Fix | undefined {
  if (rules?.type.case !== 'string') return undefined
  const { wellKnown, pattern } = rules.type.value
  if (wellKnown.case === 'email') return trimmed
  return idPattern.test(pattern) ? inLowerCase : undefined
}
