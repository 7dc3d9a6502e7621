import { isId } from '../../kernel/base/ids.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'

/** The token of an unsubscribe link: who, and which <type>.<category>. */
export const unsubscribeToken = (box: Cipher, memberId: string, category: string): string =>
  box.seal(`${memberId} ${category.slice(0, 200)}`)

/** What a token names; undefined for anything that is not ours. */
export function readUnsubscribeToken(box: Cipher, token: string): { memberId: string; category: string } | undefined {
  const [memberId = '', category = ''] = box.open(token)?.split(' ') ?? []
  return isId(memberId) && category ? { memberId, category } : undefined
}
