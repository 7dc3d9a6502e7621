import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const c8 = join(dirname(createRequire(import.meta.url).resolve('c8/package.json')), 'bin', 'c8.js')

/** Prints a summary of V8's records in a folder and writes coverage/lcov.info. Files that no test loads count too. */
export function reportCoverage(root: string, recorded: string, folders: string[]): Promise<void> {
  const where = ['--temp-directory', recorded, '--reporter=text-summary', '--reporter=lcov', '--all', '--merge-async']
  const included = folders.flatMap(folder => ['--include', `${folder}/**/*.ts`])
  const excluded = ['**/*.test.ts', '**/node_modules/**', 'gen/**', 'cli/fixtures/**'].flatMap(it => ['--exclude', it])
  const args = ['report', ...where, ...included, ...excluded]
  const child = spawn(process.execPath, [c8, ...args], { cwd: root, stdio: 'inherit' })
  return new Promise(resolve => child.once('close', () => resolve()))
}
