import type { ComponentChildren } from 'preact'
import { useStore } from '../platform/store.ts'
import { chooseLanguage, type InterfaceLanguage, language, languages, useTexts } from '../platform/texts.ts'
import { useTitle } from '../ui/title.ts'

/** A page of one form, for people who aren't signed in. */
export function Card({ title, children }: { title: string; children: ComponentChildren }) {
  const t = useTexts('common')
  const interfaceLanguage = useStore(language)
  useTitle(title)
  return (
    <main class="alone">
      <div class="card">
        <h1>{title}</h1>
        {children}
      </div>
      <p class="languages">
        <select
          aria-label={t.language}
          value={interfaceLanguage}
          onChange={event => chooseLanguage(event.currentTarget.value as InterfaceLanguage)}
        >
          {languages.map(({ value, text }) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </select>
      </p>
    </main>
  )
}
