import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block of a guide whose first line names a file: its whole text, or the changes to it. */
export type GuideBlock = { guide: string; path: string; isDiff: boolean; text: string }

/** The blocks of a guide in their order. Blocks that name no file are left out. */
export function blocksOf(guide: string, markdown: string): GuideBlock[] {
  const fenced = markdown.matchAll(/^( *)```(\w+) (\S+)\n([\s\S]*?)^\1```$/gm)
  return [...fenced].map(([, indent = '', language, path = '', text = '']) => ({
    guide,
    path,
    isDiff: language === 'diff',
    text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }))
}

/** Writes a block's file, or changes it, as its reader would. Throws when the file isn't as the block shows it. */
export function applyBlock(folder: string, { guide, path, isDiff, text }: GuideBlock): void {
  const file = join(folder, path)
  if (!isDiff) {
    if (existsSync(file)) throw new Error(`${guide}: ${path} exists already`)
    mkdirSync(dirname(file), { recursive: true })
    return writeFileSync(file, text)
  }
  const editedText = text.split(/^@@\n/m).reduce(
    (fileText, hunk) => {
      const lines = hunk.split('\n').slice(0, -1)
      const linesWithout = (sign: string) =>
        lines.filter(line => !line.startsWith(sign)).map(line => `${line.slice(1)}\n`)
      return replaceOnce(fileText, linesWithout('+').join(''), linesWithout('-').join(''), `${guide}: ${path}`)
    },
    readFileSync(file, 'utf8'),
  )
  writeFileSync(file, editedText)
}

/** Replaces a text that occurs once. */
export function replaceOnce(fileText: string, from: string, to: string, place: string): string {
  const [before, after, ...more] = fileText.split(from)
  if (before === undefined || after === undefined || more.length > 0)
    throw new Error(`${place} has ${after === undefined ? 'no' : 'more than one'} place like this:\n${from}`)
  return `${before}${to}${after}`
}
