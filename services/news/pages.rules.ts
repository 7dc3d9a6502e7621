import { invalid } from '../kernel/errors.ts'
import { holds, type Tenant } from '../kernel/tenant.ts'
import type { PageRow } from './tables.ts'

/** Whether the caller sees drafts and archived pages of others (DECISIONS 68). */
export const seesAll = (tenant: Tenant): boolean => holds(tenant, 'edit_content') || holds(tenant, 'publish_content')

/** Whether the caller may see the page: published ones all do, the others its author and editors. */
export const mayRead = (tenant: Tenant, memberId: string, page: Pick<PageRow, 'status' | 'created_by_id'>): boolean =>
  page.status === 'published' || (memberId !== '' && page.created_by_id === memberId) || seesAll(tenant)

const maxContentBytes = 90_000
const maxDepth = 32
const linkKeys = new Set(['url', 'href', 'src', 'link', 'fileUrl', 'thumbnailUrl'])
const scheme = /^[\s\u0000-\u001f]*([a-z][a-z0-9+.-]*)[\s\u0000-\u001f]*:/i
const safeSchemes = new Set(['http', 'https', 'mailto', 'tel'])

/** The text of an editor document, after the checks that every stored one has passed. ValidationError. */
export function contentText(content: unknown): string {
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw invalid('content', 'must be an object', 'content.object')
  inspect(content, 'content', 1)
  const text = JSON.stringify(content)
  if (Buffer.byteLength(text) > maxContentBytes)
    throw invalid('content', `must be at most ${maxContentBytes} bytes`, 'content.max_bytes')
  return text
}

/** Documents are stored for clients that render them: no link may run a script there. */
function inspect(value: object, path: string, depth: number): void {
  if (depth > maxDepth) throw invalid('content', `must be nested at most ${maxDepth} levels deep`, 'content.max_depth')
  for (const [key, item] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    if (typeof item === 'object' && item !== null) inspect(item, at, depth + 1)
    else if (typeof item === 'string' && linkKeys.has(key)) checkLink(item, at)
  }
}

function checkLink(text: string, path: string): void {
  const named = scheme.exec(text)?.[1]?.toLowerCase()
  if (named !== undefined && !safeSchemes.has(named))
    throw invalid(path, 'must be an http or https address', 'content.link')
}

/** An event may not end before it starts. ValidationError. */
export function checkEventDates(starts: Date | null, ends: Date | null): void {
  if (starts && ends && ends < starts) throw invalid('eventEndsAt', 'must not be before eventStartsAt', 'event.order')
}
