import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A fenced block of a guide whose first line names a file: its whole text, or the changes to it. */
export type GuideBlock = { guide: string; path: string; isDiff: boolean; text: string }

/** The files of a folder, edited in memory until `save` writes them all. */
export function editableFiles(folder: string) {
  const editedTexts = new Map<string, string>()
  return {
    folder,
    has: (path: string): boolean => editedTexts.has(path) || existsSync(join(folder, path)),
    read: (path: string): string => editedTexts.get(path) ?? readFileSync(join(folder, path), 'utf8'),
    write(path: string, text: string): void {
      editedTexts.set(path, text)
    },
    /** @returns the paths of the written files */
    save(): string[] {
      for (const [path, text] of editedTexts) {
        mkdirSync(dirname(join(folder, path)), { recursive: true })
        writeFileSync(join(folder, path), text)
      }
      return [...editedTexts.keys()]
    },
  }
}
export type EditableFiles = ReturnType<typeof editableFiles>

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

/** Guides that tell one example, in the order in which a reader follows them. */
const exampleGuides = [
  'add-an-rpc',
  'add-a-table',
  'add-an-event',
  'add-a-consumer',
  'change-what-exists',
  'front',
].map(name => `docs/guides/${name}.md`)

export const exampleBlocks = (read: (path: string) => string): GuideBlock[] =>
  exampleGuides.flatMap(guide => blocksOf(guide, read(guide)))

/** Writes a block's file, or changes it, as its reader would. Throws when the file isn't as the block shows it. */
export function applyBlock(files: EditableFiles, { guide, path, isDiff, text }: GuideBlock): void {
  if (!isDiff) {
    if (files.has(path)) throw new Error(`${guide}: ${path} exists already`)
    return files.write(path, text)
  }
  const editedText = text.split(/^@@\n/m).reduce((fileText, hunk) => {
    const lines = hunk.split('\n').slice(0, -1)
    const linesWithout = (sign: string) =>
      lines.filter(line => !line.startsWith(sign)).map(line => `${line.slice(1)}\n`)
    return replaceOnce(fileText, linesWithout('+').join(''), linesWithout('-').join(''), `${guide}: ${path}`)
  }, files.read(path))
  files.write(path, editedText)
}

/** Replaces a text that occurs once. */
export function replaceOnce(fileText: string, from: string, to: string, place: string): string {
  const [before, after, ...otherParts] = fileText.split(from)
  if (before === undefined || after === undefined || otherParts.length > 0)
    throw new Error(`${place} has ${after === undefined ? 'no' : 'more than one'} place like this:\n${from}`)
  return `${before}${to}${after}`
}
