import { createStore, useStore } from './store.ts'

export type Language = 'en' | 'fr'

/** The languages as choices, each under its native name. */
export const languages: { value: Language; text: string }[] = [
  { value: 'en', text: 'English' },
  { value: 'fr', text: 'Français' },
]

const chosen = 'front.language'

/** The choice on this device, else the profile's language, else the browser's. */
function wanted(profile?: Language): Language {
  const kept = localStorage.getItem(chosen)
  if (kept === 'en' || kept === 'fr') return kept
  if (profile) return profile
  return navigator.languages.some(one => /^fr\b/i.test(one)) && !/^en\b/i.test(navigator.language) ? 'fr' : 'en'
}

/** The language of the interface. */
export const language = createStore<Language>(wanted())

/** Shows the language for somebody with this profile, or for nobody yet. */
export function showLanguage(profile?: Language): void {
  const next = wanted(profile)
  document.documentElement.lang = next
  language.set(next)
}

/** Drops the choice, as when somebody signs out of a shared device. */
export const forgetLanguage = (): void => localStorage.removeItem(chosen)

export function chooseLanguage(next: Language): void {
  localStorage.setItem(chosen, next)
  showLanguage()
}

type Text = string | ((...values: never[]) => string)
type Texts = Record<string, Text>

/** The texts of a screen in both languages: the French ones have the names and the parameters of the English ones. */
export type Both<English extends Texts> = { en: English; fr: { [Name in keyof English]: Widened<English[Name]> } }
type Widened<One> = One extends string ? string : One

export const texts = <English extends Texts>(both: Both<English>): Both<English> => both

/** The texts of a screen in the present language. */
export function useTexts<English extends Texts>(both: Both<English>): Both<English>['fr'] {
  return both[useStore(language)] as Both<English>['fr']
}

/** The region's form of the language, such as en-GB, where the browser has one: dates differ between regions. */
export const locale = (): string => navigator.languages.find(one => one.startsWith(language.get())) ?? language.get()

/** `1 comment`, `2 comments`: French counts zero as singular. */
export function plural(count: number, one: string, many: string): string {
  const isOne = new Intl.PluralRules(locale()).select(count) === 'one'
  return `${new Intl.NumberFormat(locale()).format(count)} ${isOne ? one : many}`
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 604_800],
]

/** `3 hours ago`; from five weeks on, the date. */
export function timeAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const away = Math.abs(seconds)
  if (away > 5 * 604_800) return dateOf(iso)
  const [unit, size] = steps.findLast(([, least]) => away >= least) ?? ['second' as const, 1]
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
}

export const dateOf = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'long' }).format(new Date(iso))

export const dateAndTimeOf = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

export const numberOf = (value: number): string => new Intl.NumberFormat(locale()).format(value)
