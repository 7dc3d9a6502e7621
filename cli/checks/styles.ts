import type { SourceFile } from '../sources.ts'

/**
 * Classes that begin rules in more than one style sheet. A page loads several sheets, so such a rule in one folder would
 * restyle another folder's elements.
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
    .map(
      ([name, paths]) =>
        `.${name} is in ${[...paths].join(' and ')}: rename one of the two, or begin its rules with a class of its own folder`,
    )
}
