import { existsSync, readFileSync } from 'node:fs'

/** A setting, with its default where it has one. */
type DocumentedSetting = { name: string; fallback: string }

/** The settings in .env.example, which a test holds to the code; none without the file. */
export function documentedSettings(): DocumentedSetting[] {
  const file = new URL('../../../../.env.example', import.meta.url)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return [...text.matchAll(/^(#?)([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, hash, name = '', value = '']) => ({
    name,
    fallback: hash ? value.replace(/^'(.*)'$/, '$1') : '',
  }))
}
