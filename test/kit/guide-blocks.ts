import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A fenced block of a guide whose first line names a file: its whole text, or the changes to it. */
export type Block = { guide: string; path: string; isDiff: boolean; text: string }

/** The blocks of a guide in their order. Blocks that name no file are left out. */
export function blocksOf(guide: string, markdown: string): Block[] {
  const fenced = markdown.matchAll(/^( *)```(\w+) (\S+)\n([\s\S]*?)^\1```$/gm)
  return [...fenced].map(([, indent = '', language, path = '', text = '']) => ({
    guide,
    path,
    isDiff: language === 'diff',
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** Writes a block's file, or changes it, as its reader would. Throws when the file isn't as the block shows it. */
export function applyBlock(folder: string, { guide, path, isDiff, text }: Block): void {
  const file = join(folder, path)
  if (!isDiff) {
    if (existsSync(file)) throw new Error(`${guide}: ${path} exists already`)
    mkdirSync(dirname(file), { recursive: true })
    return writeFileSync(file, text)
  }
  const changed = text.split(/^@@\n/m).reduce(
    (whole, hunk) => {
      const lines = hunk.split('\n').slice(0, -1)
      const without = (sign: string) => lines.filter(line => !line.startsWith(sign)).map(line => `${line.slice(1)}\n`)
      return replaceOnce(whole, without('+').join(''), without('-').join(''), `${guide}: ${path}`)
    },
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, changed)
}

/** Replaces a text that occurs once. */
export function replaceOnce(whole: string, from: string, to: string, where: string): string {
  const [before, after, ...more] = whole.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${where} has ${after === undefined ? 'no' : 'more than one'} place like this:\n${from}`)
  return `${before}${to}${after}`
}

export type Ran = { ok: boolean; output: string }

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
const isLeftOut = /\/(node_modules|\.git|\.data|\.cache|coverage|images)$/

/** The text of a file of the project. */
export const textOf = (path: string): string => readFileSync(join(root, path), 'utf8')

/** An empty folder for a copy of the project; `fill` copies it, `run` runs a command there. */
export function projectCopy() {
  const folder = mkdtempSync(join(tmpdir(), 'guides-'))
  function run(command: string, ...args: string[]): Promise<Ran> {
    const { TEST_COVERAGE: _, ...others } = process.env
    const env = { ...others, NODE_COMPILE_CACHE: join(folder, '.cache') }
    const child = spawn(command, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    for (const pipe of [child.stdout, child.stderr]) pipe.setEncoding('utf8').on('data', text => (output += text))
    return new Promise((resolve, reject) => {
      child.once('error', reject)
      child.once('close', status => resolve({ ok: status === 0, output }))
    })
  }
  return {
    folder,
    run,
    async fill(): Promise<void> {
      cpSync(root, folder, { recursive: true, filter: path => !isLeftOut.test(path) })
      symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
      // The checks list the files with git.
      await run('git', 'init', '--quiet')
    },
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }),
  }
}
