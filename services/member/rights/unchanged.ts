import { isDeepStrictEqual } from 'node:util'
import { toCamelCase } from '../../kernel/base/fields.ts'
import { isAllowed } from './grants.ts'

/**
 * The fields of an update that the caller sets. Unchanged values cost no right [R79]: a caller who may not set all of
 * them sets those that differ from the record as the caller sees it. ForbiddenError.
 * @param check refuses fields that the caller may not set; isn't called for none
 */
export async function settablePaths(
  paths: Set<string>,
  request: object,
  record: object,
  check: (paths: Set<string>) => Promise<void>,
): Promise<Set<string>> {
  if (paths.size === 0 || (await isAllowed(check(paths)))) return paths
  const isChanged = (path: string) => !isDeepStrictEqual(valueAt(request, path), valueAt(record, path))
  const changedPaths = new Set([...paths].filter(isChanged))
  if (changedPaths.size > 0) await check(changedPaths)
  return changedPaths
}

const valueAt = (record: object, path: string): unknown => (record as Record<string, unknown>)[toCamelCase(path)]
