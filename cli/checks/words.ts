import type { SourceFile } from '../sources.ts'

/** Words that make a reader stop, with plain ones. Each is exact, so that no ordinary sentence or code has it. */
const words: readonly [word: RegExp, plain: string][] = [
  [/\blest\b/i, 'so that … not'],
  [/\banew\b/i, 'again'],
  [/\bseldom(er|est)?\b/i, 'rarely, less often'],
  [/\bwho(m|s)?(so)?ever\b/i, 'anyone who, the caller who'],
  [/\banybody who\b/i, 'any caller who'],
  [/\bcom(e|es|ing) to nothing\b|\bcame to nothing\b/i, 'fail, have no effect'],
  [/\b(give|gives|gave|given|giving) back\b|\b(gives|giving) \w+( \w+)? back\b/i, 'return, release, requeue'],
  [/\b(lets|letting) go\b|\blet go of\b/i, 'release'],
  [/\b(bury|buries|buried|burying)\b/i, 'dead-letter, discard'],
  [/\b(is|are) not taken\b/i, 'is refused, is ignored'],
  [/\bso many\b/i, 'the number, at most'],
  [/\bof its own(?=[.,;:)]|$| (at|in|for|and|or|that)\b)/i, 'its own, a separate'],
]

/** Texts of others, and data. */
const exempt = /^third_party\/|^package-lock\.json$|\/common-passwords\.ts$|^cli\/checks\/words(\.test)?\.ts$/

/** Places of warning words in comments, strings, titles and Markdown; code doesn't contain them. */
export function unplain(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => !exempt.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, index) =>
        words.flatMap(([word, plain]) => {
          const [match] = word.exec(line) ?? []
          return match ? [`${path}:${index + 1}: "${match}": ${plain}`] : []
        }),
      ),
    )
}
