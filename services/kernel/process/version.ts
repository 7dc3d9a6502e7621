import { readFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as {
  version: string
}

/** The platform's version, as package.json states it. */
export const platformVersion = manifest.version
