import { type DescField, type DescMessage, getOption, type Message, ScalarType } from '@bufbuild/protobuf'
import { type FieldRules, field as rulesOption } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { json as jsonOption, multiline } from '../../../gen/platform/options/v1/options_pb.ts'
import type { Violation } from '../base/errors.ts'
import { isBlank, isOneLine } from '../base/texts/visible.ts'
import { normalFormOf } from './normalise.ts'

type Fields = Record<string, unknown>

/** Returns the value to keep, and adds what is wrong with it; undefined makes the field absent. */
type Visit = (value: unknown, path: string, violations: Violation[]) => unknown
type Step = (message: Fields, path: string, violations: Violation[]) => void

/** Steps by message type. A type in progress has none yet, so that a recursive one ends. */
const stepsByType = new Map<DescMessage, Step[]>()

/**
 * Normalises the texts of a message and checks those that people type: a required one has a visible character,
 * and all are one line unless their field is `multiline`. A blank optional text becomes absent. Runs before the
 * constraints, on every surface.
 */
export function checkTexts(desc: DescMessage, message: Message): Violation[] {
  const violations: Violation[] = []
  runSteps(stepsOf(desc), message, '', violations)
  return violations
}

function runSteps(steps: Step[], message: unknown, path: string, violations: Violation[]): unknown {
  for (const step of steps) step(message as Fields, path, violations)
  return message
}

function stepsOf(desc: DescMessage): Step[] {
  const existingSteps = stepsByType.get(desc)
  if (existingSteps) return existingSteps
  const steps: Step[] = []
  stepsByType.set(desc, steps)
  for (const field of desc.fields) {
    const step = stepOf(field)
    if (step) steps.push(step)
  }
  return steps
}

function stepOf(field: DescField): Step | undefined {
  const visit = visitOf(field)
  if (!visit) return undefined
  const { oneof, localName, jsonName, fieldKind } = field
  return (message, path, violations) => {
    const holder = oneof ? (message[oneof.localName] as Fields) : message
    if (oneof && holder['case'] !== localName) return
    const key = oneof ? 'value' : localName
    const value = holder[key]
    if (value === undefined) return
    const fieldPath = path ? `${path}.${jsonName}` : jsonName
    if (fieldKind === 'list')
      holder[key] = (value as unknown[]).map((item, index) => visit(item, `${fieldPath}[${index}]`, violations))
    else if (fieldKind === 'map')
      for (const [name, item] of Object.entries(value as Fields))
        (value as Fields)[name] = visit(item, `${fieldPath}.${name}`, violations)
    else holder[key] = visit(value, fieldPath, violations)
  }
}

function visitOf(field: DescField): Visit | undefined {
  const { message: nested, scalar } = field
  // Each row of a bulk call is checked by its handler.
  if (getOption(field, jsonOption).rows) return undefined
  if (nested) {
    const steps = nested.typeName.startsWith('google.protobuf.') ? [] : stepsOf(nested)
    return steps.length > 0 ? (value, path, violations) => runSteps(steps, value, path, violations) : undefined
  }
  if (scalar !== ScalarType.STRING) return undefined
  const { type, required } = getOption(field, rulesOption)
  const rules =
    type.case === 'repeated' ? type.value.items : type.case === 'map' ? type.value.values : { type, required }
  const normalForm = normalFormOf(rules)
  if (normalForm) return value => normalForm(value as string)
  return isTyped(field, rules) ? textVisit(field, rules) : undefined
}

type Rules = Pick<FieldRules, 'type' | 'required'>

/** Whether people type the text freely: not a secret, and in no form that a constraint gives. */
function isTyped(field: DescField, rules: Rules | undefined): boolean {
  if (getOption(field, jsonOption).secret) return false
  if (rules?.type.case !== 'string') return true
  const { pattern, in: values, wellKnown } = rules.type.value
  return pattern === '' && values.length === 0 && wellKnown.case === undefined
}

function textVisit(field: DescField, rules: Rules | undefined): Visit {
  const isRequired = rules?.required === true || (rules?.type.case === 'string' && rules.type.value.minLen > 0n)
  const mayBeAbsent = !isRequired && field.fieldKind === 'scalar' && field.presence === 1 /* explicit */
  const isMultiline = getOption(field, multiline)
  return (value, path, violations) => {
    const text = value as string
    // The constraint refuses an empty one.
    if (text !== '' && isRequired && isBlank(text)) violations.push({ path, message: 'is required', rule: 'required' })
    else if (!isMultiline && !isOneLine(text))
      violations.push({ path, message: 'must be one line without control characters', rule: 'string.one_line' })
    return mayBeAbsent && isBlank(text) ? undefined : text
  }
}
