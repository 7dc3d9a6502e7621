import type { SourceFile } from '../sources.ts'

/**
 * Classes that rules of several style sheets begin with. Style sheets of one page share their class names, so that one
 * folder would restyle another's elements.
 */
export function sharedClasses(sheets: SourceFile[]): string[] {
  const owners = new Map<string, Set<string>>()
  for (const { path, text } of sheets)
    for (const [, name = ''] of text.matchAll(/^\s*\.([a-z][\w-]*)[^{};\n]*[{,]$/gm)) {
      const paths = owners.get(name) ?? new Set()
      owners.set(name, paths.add(path))
    }
  return [...owners]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => `.${name} is in ${[...paths].join(' and ')}: begin with the class of one of them`)
}
