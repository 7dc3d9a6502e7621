import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installAsRoot } from '../stack/apt.ts'
import { messageOf } from '../stack/errors.ts'
import { type Print, seconds } from '../stack/services.ts'

/**
 * A program that some test files need, recognised by a word in their names. They get its path in the variable
 * `setting`; without one they find it in PATH.
 */
type Need = { title: string; word: string; program: string; packages: string[]; size: string; setting?: string }

const needs: Need[] = [
  {
    title: 'LibreOffice',
    word: 'libreoffice',
    program: 'soffice',
    packages: ['libreoffice-calc'],
    size: '200 MB',
    setting: 'TEST_SOFFICE',
  },
  {
    title: 'Chromium',
    word: 'browser',
    program: 'chromium-headless-shell',
    packages: ['chromium-headless-shell'],
    size: '300 MB',
    setting: 'TEST_CHROMIUM',
  },
  {
    title: 'wrk',
    word: 'bench/',
    program: 'wrk',
    packages: ['wrk'],
    size: '1 MB',
  },
  {
    title: 'OpenSSL',
    word: 'operations/tls',
    program: 'openssl',
    packages: ['openssl'],
    size: '2 MB',
    setting: 'TEST_OPENSSL',
  },
  {
    title: 'HAProxy',
    word: 'faults/scaled',
    program: 'haproxy',
    packages: ['haproxy'],
    size: '2 MB',
    setting: 'TEST_HAPROXY',
  },
]

/** Whether a test file can prove nothing without one of them. */
export const needsProgram = (file: string): boolean => needs.some(({ word }) => file.includes(word))

function onPath(program: string): string | undefined {
  return [...(process.env['PATH'] ?? '').split(delimiter), '/usr/bin', '/usr/local/bin', '/usr/sbin']
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

type Machine = {
  find(program: string): string | undefined
  isRoot: boolean
  install(packages: string[]): Promise<void>
}

const thisMachine: Machine = { find: onPath, isRoot: process.getuid?.() === 0, install: installAsRoot }

/**
 * Installs the programs that test files need beside servers, if one is missing and this is root. Without it, those
 * tests report that they proved nothing.
 * @returns their environment variables
 */
export async function programsFor(
  files: string[],
  print: Print,
  machine = thisMachine,
): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const need of needs) {
    if (!files.some(file => file.includes(need.word))) continue
    const path = machine.find(need.program) ?? (await fetched(need, print, machine))
    if (path && need.setting) found[need.setting] = path
  }
  return found
}

async function fetched({ title, program, packages, size }: Need, print: Print, machine: Machine) {
  if (!machine.isRoot) {
    print(`${title} is missing, and only root can install it: apt-get install ${packages.join(' ')}`)
    return undefined
  }
  const began = Date.now()
  print(`installing ${packages.join(' ')} (some ${size}) …`)
  try {
    await machine.install(packages)
    print(`installing took ${seconds(Date.now() - began)}`)
  } catch (error) {
    print(`${title} could not be installed: ${messageOf(error)}`)
  }
  return machine.find(program)
}
