import type { SourceFile } from '../sources.ts'

/** The list of decisions in force; an item begins with `**D229**` or `**D229 · R3**`. */
export const decisionsFile = 'docs/decisions.md'

/** Texts of others, where references in the old form are allowed. */
const foreignFolder = 'third_party/'

const formerForms = [/\bdecisions? \d+/i, /\([DR]\d{1,3}\b/, /\[[DR]\d{1,3},/, /\bdocuments? [123]\b/i]

/** Ids of the decisions, in order. */
function idsOf(decisions: string): string[] {
  return [...decisions.matchAll(/^- \*\*([^*]+)\*\*/gm)].flatMap(([, ids = '']) => ids.split(' · '))
}

/** References to unknown decisions, duplicate ids, and references in the old form. */
export function unresolved(files: SourceFile[], decisions: string): string[] {
  const ids = idsOf(decisions)
  const knownIds = new Set(ids)
  const problems = ids.filter((id, index) => ids.indexOf(id) < index).map(id => `${decisionsFile}: ${id} appears twice`)
  for (const { path, text } of files) {
    const isForeign = path.startsWith(foreignFolder)
    for (const [index, line] of text.split('\n').entries()) {
      const place = `${path}:${index + 1}`
      for (const [reference, id = ''] of line.matchAll(/\[([DR]\d{1,3})\]/g))
        if (!knownIds.has(id)) problems.push(`${place}: ${reference} is not in ${decisionsFile}`)
      if (isForeign) continue
      for (const form of formerForms) {
        const [reference] = form.exec(line) ?? []
        if (reference) problems.push(`${place}: "${reference}" does not resolve; write [D229] or name docs/contract.md`)
      }
    }
  }
  return problems
}
