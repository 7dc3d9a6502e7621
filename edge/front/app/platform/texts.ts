import en from '../locales/en.json' with { type: 'json' }
import fr from '../locales/fr.json' with { type: 'json' }
import type rooms from '../locales/rooms/en.json'
import { createStore, useStore } from './store.ts'
import { personZone } from './zone.ts'

/** The texts of every screen, which English names. Those of rooms are loaded with their code. */
export type Texts = typeof en & typeof rooms

/** The texts of each screen and the common ones; its own go first. */
type ScreenTexts = { [Screen in keyof Texts]: Omit<Texts['common'], keyof Texts[Screen]> & Texts[Screen] }

const locales = { en: {}, fr: {} } as { en: ScreenTexts; fr: ScreenTexts }

export type InterfaceLanguage = keyof typeof locales

/** One file of each language. */
type TextFiles = Record<InterfaceLanguage, typeof en> | Record<InterfaceLanguage, typeof rooms>

export function addTexts(files: TextFiles): void {
  const common = { en: en.common, fr: fr.common }
  for (const [name, texts] of Object.entries(files) as [InterfaceLanguage, object][]) {
    const screens = withNarrowSpaces({ common: common[name], ...texts })
    for (const [screen, screenTexts] of Object.entries(screens))
      Object.assign(locales[name], { [screen]: { ...screens.common, ...screenTexts } })
  }
}

/** French signs stay on the line of their word. */
function withNarrowSpaces<T extends object>(texts: T): T {
  return JSON.parse(JSON.stringify(texts).replace(/ (?=[:;?!»])|(?<=«) /g, '\u202f')) as T
}

addTexts({ en, fr })

/** The languages as choices, each under its native name. */
export const languages = Object.entries(locales).map(([value, texts]) => ({ value, text: texts.language.name }))

/** The language of a code such as `fr-CH`; undefined for one without texts. */
export function languageOf(code: string | null): InterfaceLanguage | undefined {
  const name = code?.slice(0, 2).toLowerCase() ?? ''
  return Object.hasOwn(locales, name) ? (name as InterfaceLanguage) : undefined
}

const storedChoice = 'front.language'

/** The choice on this device, else the profile's language, else the browser's. */
function preferredLanguage(profile?: InterfaceLanguage): InterfaceLanguage {
  const browser = navigator.languages.map(languageOf).find(one => one !== undefined)
  return languageOf(localStorage.getItem(storedChoice)) ?? profile ?? browser ?? 'en'
}

/** The language of the interface. */
export const language = createStore<InterfaceLanguage>(preferredLanguage())

/** Applies the language of this profile, or of none before a sign-in. */
export function showLanguage(profile?: InterfaceLanguage): void {
  const next = preferredLanguage(profile)
  document.documentElement.lang = next
  language.set(next)
}

/** Drops the choice, as when somebody signs out of a shared device. */
export const forgetLanguage = (): void => localStorage.removeItem(storedChoice)

export function chooseLanguage(next: InterfaceLanguage): void {
  localStorage.setItem(storedChoice, next)
  showLanguage()
}

/** The texts of a screen in the present language. Components take `useTexts`, which follows it. */
export const textsOf = <Screen extends keyof Texts>(screen: Screen): ScreenTexts[Screen] =>
  locales[language.get()][screen]

export const useTexts = <Screen extends keyof Texts>(screen: Screen): ScreenTexts[Screen] =>
  locales[useStore(language)][screen]

/** The region's form of the language, such as en-GB, where the browser has one: dates differ between regions. */
export const locale = (): string => navigator.languages.find(one => one.startsWith(language.get())) ?? language.get()

/** A text that changes with a count. A language with more forms adds them: `few`, `many`. */
type CountedText = Partial<Record<Intl.LDMLPluralRule, string>> & Record<'other', string>

/** A text with values for its `{names}`; `count` selects the form of a counted one. French counts zero as singular. */
export function fill(text: string | CountedText, values: Record<string, string | number>): string {
  const form =
    typeof text === 'string'
      ? text
      : (text[new Intl.PluralRules(locale()).select(Number(values['count']))] ?? text.other)
  return form.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? ''
    return typeof value === 'number' ? numberOf(value) : value
  })
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['minute', 60],
  ['hour', 3_600],
  ['day', 86_400],
  ['week', 604_800],
]

/** `now`, `3 hours ago`; from five weeks on, the date. */
export function timeAgo(iso: string, now = Date.now()): string {
  const seconds = Math.round((Date.parse(iso) - now) / 1_000)
  const distance = Math.abs(seconds)
  if (distance > 5 * 604_800) return dateOf(iso)
  const [unit, size] = steps.findLast(([, least]) => distance >= least) ?? ['second' as const, 60]
  return new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' }).format(Math.trunc(seconds / size), unit)
}

export const dateOf = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: personZone(), dateStyle: 'long' }).format(new Date(iso))

export const dateAndTimeOf = (iso: string): string =>
  new Intl.DateTimeFormat(locale(), { timeZone: personZone(), dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(iso),
  )

export const numberOf = (value: number): string => new Intl.NumberFormat(locale()).format(value)
