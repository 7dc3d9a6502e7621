import { languages } from '../platform/texts.ts'

export type Choice = { value: string; text: string }

/** Adds the present value when it isn't offered; `unset` is the text for none. */
function withPresent(offered: Choice[], present: string, unset: string): Choice[] {
  if (offered.some(({ value }) => value === present)) return offered
  return [{ value: present, text: present || unset }, ...offered]
}

/** Choices of a field with time zones. */
export const zoneChoices = (present: string, unset = ''): Choice[] =>
  withPresent(
    Intl.supportedValuesOf('timeZone').map(value => ({ value, text: value.replaceAll('_', ' ') })),
    present,
    unset,
  )

/** Choices of a field with languages. */
export const languageChoices = (present: string, unset = ''): Choice[] => withPresent(languages, present, unset)
