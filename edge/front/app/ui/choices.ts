import { languages } from '../platform/texts.ts'

export type Choice = { value: string; text: string }

/** Adds the present value when it isn't offered; `unset` is the text for none. */
function withPresent(choices: Choice[], current: string, unset: string): Choice[] {
  if (choices.some(({ value }) => value === current)) return choices
  return [{ value: current, text: current || unset }, ...choices]
}

/** Choices of a field with time zones. */
export const zoneChoices = (current: string, unset = ''): Choice[] =>
  withPresent(
    Intl.supportedValuesOf('timeZone').map(value => ({ value, text: value.replaceAll('_', ' ') })),
    current,
    unset,
  )

/** Choices of a field with languages. */
export const languageChoices = (current: string, unset = ''): Choice[] => withPresent(languages, current, unset)
