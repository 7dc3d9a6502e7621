import { PlatformError, type Violation } from '../../../client/errors.ts'
import { texts, useTexts } from './texts.ts'

const words = texts({
  en: {
    required: 'This is required.',
    short: 'This is too short.',
    long: 'This is too long.',
    email: 'This isn’t an e-mail address.',
    common: 'This password is too common. Choose one that is hard to guess.',
    wrong: 'This password is wrong.',
    present: 'This is your current password.',
    past: 'Choose a time in the future.',
    other: (message: string) => message,
  },
  fr: {
    required: 'Ce champ est obligatoire.',
    short: 'C’est trop court.',
    long: 'C’est trop long.',
    email: 'Ce n’est pas une adresse e-mail.',
    common: 'Ce mot de passe est trop courant. Choisissez-en un qui soit difficile à deviner.',
    wrong: 'Ce mot de passe est incorrect.',
    present: 'C’est votre mot de passe actuel.',
    past: 'Choisissez une date à venir.',
    other: () => 'Cette valeur n’est pas acceptée.',
  },
})

/** The texts of the rules that people break. */
const rules: Record<string, Exclude<keyof typeof words.en, 'other'>> = {
  required: 'required',
  'string.min_len': 'short',
  'string.max_len': 'long',
  'string.max_bytes': 'long',
  'string.email': 'email',
  'password.common': 'common',
  'password.matches': 'wrong',
  'password.new': 'present',
  'pin.expiry': 'past',
  'must-read.deadline': 'past',
}

/** The message of each field that the platform refused, by its name. The platform's own messages are English. */
export function useFaults(error: unknown): Record<string, string> {
  const t = useTexts(words)
  const textOf = ({ rule, message }: Violation): string => {
    // An empty text breaks the rule of its length.
    const text = rules[message === 'is required' ? 'required' : rule]
    return text ? t[text] : t.other(message)
  }
  return error instanceof PlatformError
    ? Object.fromEntries(error.violations.map(violation => [violation.path, textOf(violation)]))
    : {}
}
