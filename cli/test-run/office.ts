import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installAsRoot } from '../stack/apt.ts'
import { messageOf } from '../stack/errors.ts'
import { type Say, seconds } from '../stack/services.ts'

const program = 'soffice'
const packages = ['libreoffice-calc']

/** Where LibreOffice is on this machine. */
export function findOffice(path = process.env['PATH'] ?? ''): string | undefined {
  return [...path.split(delimiter), '/usr/bin', '/usr/local/bin']
    .filter(Boolean)
    .map(folder => join(folder, program))
    .find(candidate => {
      try {
        accessSync(candidate, constants.X_OK)
        return true
      } catch {
        return false
      }
    })
}

type Machine = { find(): string | undefined; isRoot: boolean; install(packages: string[]): Promise<void> }

const thisMachine: Machine = { find: findOffice, isRoot: process.getuid?.() === 0, install: installAsRoot }

/**
 * LibreOffice for the tests that open files in it, installed when it is missing and we are root. Without it those tests
 * say that they proved nothing.
 * @returns what they need in their environment
 */
export async function officeFor(files: string[], say: Say, machine = thisMachine): Promise<Record<string, string>> {
  if (!files.some(file => file.includes('libreoffice'))) return {}
  const present = machine.find()
  if (present) return { TEST_SOFFICE: present }
  if (!machine.isRoot) {
    say(`LibreOffice is missing, and only root can install it: apt-get install ${packages.join(' ')}`)
    return {}
  }
  const began = Date.now()
  say(`installing ${packages.join(' ')} (some 200 MB) …`)
  try {
    await machine.install(packages)
    say(`installing took ${seconds(Date.now() - began)}`)
  } catch (error) {
    say(`LibreOffice could not be installed: ${messageOf(error)}`)
  }
  const installed = machine.find()
  return installed ? { TEST_SOFFICE: installed } : {}
}
