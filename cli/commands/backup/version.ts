import { readFileSync } from 'node:fs'

/** The version in package.json. */
export const platformVersion = (): string =>
  String(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version)
