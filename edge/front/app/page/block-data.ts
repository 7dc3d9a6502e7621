/** Data of a block of an editor document; not validated. */
export type BlockData = Record<string, unknown>

export const isRecord = (value: unknown): value is BlockData =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A text or number of a block as text; empty for anything else. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : ''

export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The address of a block's file: `{file: {url}}` or `{url}`. */
export function addressIn(data: BlockData): unknown {
  const { file } = data
  return (isRecord(file) ? file['url'] : undefined) ?? data['url']
}

const isAddressKey = (key: string): boolean => /(?:url|uri|href|src|id)$/i.test(key)

/** All texts of a value, for a block of an unknown type. */
export function textsIn(value: unknown, depth = 0): string[] {
  if (depth > 20) return []
  if (typeof value === 'string') return value.trim() ? [value] : []
  if (Array.isArray(value)) return value.flatMap(item => textsIn(item, depth + 1))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => (isAddressKey(key) ? [] : textsIn(item, depth + 1)))
}
