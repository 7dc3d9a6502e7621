import type { FieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { normalizeEmail } from '../base/text.ts'

type NormalForm = (text: string) => string

/** fr_fr becomes fr-FR, zh-hant zh-Hant. */
const languageForm: NormalForm = text => {
  const [language = '', ...parts] = text.split(/[-_]/)
  const forms = parts.map(part => (part.length === 4 ? capitalised(part) : part.toUpperCase()))
  return [language.toLowerCase(), ...forms].join('-')
}

const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()

/** 9:00 becomes 09:00, 14:00:00 becomes 14:00. */
const hourForm: NormalForm = text => {
  const hour = text.replace(/^(\d\d?:\d\d):00$/, '$1')
  return /^\d:\d\d$/.test(hour) ? `0${hour}` : hour
}

const colourForm: NormalForm = text => (/^([0-9A-Fa-f]{3}){1,2}$/.test(text) ? `#${text}` : text)

const idForm: NormalForm = text => (/^[0-9A-Fa-f]{24}$/.test(text) ? text.toLowerCase() : text)

/** Normal forms by the pattern of a field. */
const byPattern: Readonly<Record<string, NormalForm>> = {
  '^[0-9a-f]{24}$': idForm,
  '^([0-9a-f]{24})?$': idForm,
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': hourForm,
  '^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$': colourForm,
  '^[A-Z]{3}$': text => text.toUpperCase(),
  '^[a-z][a-z_.-]*$': text => text.toLowerCase(),
  '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$': languageForm,
}

/**
 * The spelling in which a text is compared and stored, where its constraint gives one: addresses and ids in lower case,
 * listed values, types, languages and currencies in the case of the contract, 9:00 as 09:00, hours, colours and
 * languages in one form.
 */
export function normalFormOf(rules: Pick<FieldRules, 'type'> | undefined): NormalForm | undefined {
  if (rules?.type.case !== 'string') return undefined
  const { wellKnown, pattern, in: values } = rules.type.value
  if (wellKnown.case === 'email') return normalizeEmail
  if (values.length === 0) return byPattern[pattern]
  const spellings = new Map(values.map(value => [value.toLowerCase(), value]))
  return text => spellings.get(text.toLowerCase()) ?? text
}
