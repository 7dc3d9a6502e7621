import { type Print } from '../stack/messages.ts'
import { installPackages, pathOf } from '../stack/packages.ts'

/**
 * A program that some test files need, recognised by a word in their names. They get its path in the variable
 * `setting`; without one they find it in PATH.
 */
type Need = { word: string; program: string; package: string; setting?: string }

const needs: Need[] = [
  { word: 'libreoffice', program: 'soffice', package: 'libreoffice-calc', setting: 'TEST_SOFFICE' },
  {
    word: 'browser',
    program: 'chromium-headless-shell',
    package: 'chromium-headless-shell',
    setting: 'TEST_CHROMIUM',
  },
  // The shell shows no notifications.
  { word: 'browser/front-push', program: 'chromium', package: 'chromium', setting: 'TEST_FULL_CHROMIUM' },
  { word: 'bench/', program: 'wrk', package: 'wrk' },
  { word: 'operations/tls', program: 'openssl', package: 'openssl', setting: 'TEST_OPENSSL' },
  ...['buildah', 'podman', 'runc'].map(name => ({ word: 'operations/image', program: name, package: name })),
  { word: 'operations/proxy', program: 'openssl', package: 'openssl', setting: 'TEST_OPENSSL' },
  ...['operations/proxy', 'faults/rolling', 'faults/day'].map(word => ({
    word,
    program: 'haproxy',
    package: 'haproxy',
  })),
]

/** Whether a test file can prove nothing without one of them. */
export const needsProgram = (file: string): boolean => needs.some(({ word }) => file.includes(word))

/**
 * Installs the missing ones of the programs that test files need beside servers, if this is root. Without them, those
 * tests report that they proved nothing.
 * @returns their environment variables
 */
export async function programsFor(files: string[], print: Print): Promise<Record<string, string>> {
  const paths: Record<string, string> = {}
  for (const { word, program, package: name, setting } of needs) {
    if (!files.some(file => file.includes(word))) continue
    if (!pathOf(program)) {
      print(`installing ${name} …`)
      const problem = process.getuid?.() === 0 ? await installPackages([name]) : 'only root can install it'
      if (problem) print(`${name} is missing: ${problem}`)
    }
    const path = pathOf(program)
    if (path && setting) paths[setting] = path
  }
  return paths
}
