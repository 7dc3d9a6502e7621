import type { FieldRules } from '@bufbuild/protovalidate/gen/buf/validate/validate_pb.js'
import { normalEmail } from '../base/text.ts'

type NormalForm = (text: string) => string

const languageForm: NormalForm = text => {
  const [language = '', country] = text.split('-', 2)
  return country === undefined ? language.toLowerCase() : `${language.toLowerCase()}-${country.toUpperCase()}`
}

const idForm: NormalForm = text => (/^[0-9A-Fa-f]{24}$/.test(text) ? text.toLowerCase() : text)

/** Normal forms by the pattern of a field. */
const byPattern: Readonly<Record<string, NormalForm>> = {
  '^[0-9a-f]{24}$': idForm,
  '^([0-9a-f]{24})?$': idForm,
  '^([01][0-9]|2[0-3]):[0-5][0-9]$': text => (/^\d:\d\d$/.test(text) ? `0${text}` : text),
  '^[A-Z]{3}$': text => text.toUpperCase(),
  '^[a-z]{2}(-[A-Z]{2})?$': languageForm,
  '^[a-z]{2,3}(-[A-Z]{2})?$': languageForm,
}

/**
 * The spelling in which a text is compared and stored, where its constraint gives one: addresses and ids in lower case
 * [D271], listed values, languages and currencies in the case of the contract, 9:00 as 09:00 [R84].
 */
export function normalFormOf(rules: Pick<FieldRules, 'type'> | undefined): NormalForm | undefined {
  if (rules?.type.case !== 'string') return undefined
  const { wellKnown, pattern, in: values } = rules.type.value
  if (wellKnown.case === 'email') return normalEmail
  if (values.length === 0) return byPattern[pattern]
  const spellings = new Map(values.map(value => [value.toLowerCase(), value]))
  return text => spellings.get(text.toLowerCase()) ?? text
}
