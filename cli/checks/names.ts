import type { SourceFile } from '../sources.ts'

/** Participles, adjectives and question words: as a whole name, none of them says what a value holds. */
const bareWords = new Set(
  `added against all alone answered any apart around arrived asked at away begun beside between beyond both bound
  called changed chosen counted done drawn due each either ended every everything expected few filed for former found
  fresh full given gone granted growing held here how joined kept known later latest least left less listed locked
  look lost made many meant mend mine missed missing more most named near needed new none of old once only onto other
  others ours over own past present received removed repeatable replaceable rest said same saved seen sent several
  shared shown signed sized so some standing started still stored such taken taking that their theirs them then there
  these those told too unknown wanted what whatever when where whether which who whole whom whose why with without
  written`.split(/\s+/),
)

/** Code without its comments, and with its strings emptied, line by line as it was. */
function codeOf(text: string): string {
  const literal = /\/\*[\s\S]*?\*\/|(?<![:\\])\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g
  return text.replace(literal, match => `${match.startsWith('/') ? '' : "''"}${match.replace(/[^\n]/g, '')}`)
}

const declaration = /\b(?:const|let|function\*?|type|class|interface) (\w+)(?=\s*[=:(<{;]| of | in | extends )/g
const pattern = /\b(?:const|let) ([[{][^;]*?[\]}])(?=\s*=| of )/g
/** Parameters of an arrow or a function, in a list without parentheses inside. */
const parameters =
  /(?<!\): )\b(?!const|let|async)(\w+)(?= =>)|(?:\bfunction\*? \w*(?:<[^()]*>)?\(([^()]*)\))|(?:\(([^()]*)\)(?=(?:: [^=;(){}]+)? =>))/g

type Name = { name: string; index: number }

function declaredIn(code: string): Name[] {
  const names = [...code.matchAll(declaration)].map(({ 1: name = '', 0: declarationText, index }) => ({
    name,
    index: index + declarationText.length - 1,
  }))
  for (const match of code.matchAll(pattern)) {
    const [text, list = ''] = match
    names.push(...bindings(list, match.index + text.indexOf(list)))
  }
  for (const match of code.matchAll(parameters)) {
    const list = match[1] ?? match[2] ?? match[3] ?? ''
    const start = match.index + match[0].lastIndexOf(list)
    names.push(...[...list.matchAll(/(?:^|,)\s*(\w+)(?=\??:|\s*(?:,|=|$))/g)].map(part => nameAt(part, start)))
  }
  return names
}

/** Aliases and items of a destructuring pattern; a shorthand's name is the field's. */
function bindings(list: string, start: number): Name[] {
  const item = list.startsWith('[') ? /[[,]\s*(\w+)/g : /: (\w+)(?=\s*[,}=])/g
  return [...list.matchAll(item)].map(part => nameAt(part, start))
}

/** The properties, methods and parameters of methods that types and interfaces declare. */
function membersIn(code: string): Name[] {
  const names: Name[] = []
  for (const { 0: head, index } of code.matchAll(/\b(?:type|interface) \w+[^\n{]*\{/g)) {
    const start = index + head.length
    const body = code.slice(start, endOfBlock(code, start))
    names.push(
      ...[...body.matchAll(/(?:^|[{;,(]) *(?:readonly )?(\w+)(?=\??: |\??\(|<)/gm)].map(part => nameAt(part, start)),
    )
  }
  return names
}

/** The index after the brace that closes the block that was opened before `start`. */
function endOfBlock(code: string, start: number): number {
  let depth = 1
  for (let index = start; index < code.length; index++) {
    if (code[index] === '{') depth++
    else if (code[index] === '}' && --depth === 0) return index
  }
  return code.length
}

const nameAt = (part: RegExpMatchArray, start: number): Name => ({
  name: part[1] ?? '',
  index: start + (part.index ?? 0) + part[0].length - 1,
})

const isBare = (name: string): boolean => bareWords.has(name.charAt(0).toLowerCase() + name.slice(1))

/** Declarations whose whole name is one of the words, as "path:line name"; those of test files and migrations aside. */
export function bareNames(files: SourceFile[]): string[] {
  return files
    .filter(({ path }) => /^(services|edge|cli|bench|test)\//.test(path) && !/\.test\.tsx?$|\/migrations\//.test(path))
    .flatMap(({ path, text }) => {
      const code = codeOf(text)
      const names = [...declaredIn(code), ...membersIn(code)].filter(({ name }) => isBare(name))
      return names
        .map(({ name, index }) => ({ name, line: code.slice(0, index).split('\n').length }))
        .toSorted((a, b) => a.line - b.line)
        .map(({ name, line }) => `${path}:${line} ${name}`)
    })
}

/** Names that exported types share, with the files that export them. Every service has a `Context` and a `Config`. */
export function sharedTypeNames(files: SourceFile[]): string[] {
  const pathsByName = new Map<string, string[]>()
  for (const { path, text } of files)
    for (const [, name = ''] of text.matchAll(/^export (?:abstract )?(?:type|interface|class|enum) (\w+)/gm))
      pathsByName.set(name, [...(pathsByName.get(name) ?? []), path])
  return [...pathsByName]
    .filter(([name, paths]) => paths.length > 1 && !['Context', 'Config', 'Props'].includes(name))
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
}
