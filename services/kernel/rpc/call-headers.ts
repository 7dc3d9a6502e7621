import type { HandlerContext } from '@connectrpc/connect'
import { decodeHeader } from '../base/text.ts'

/**
 * Set by the edge when it reads a record only to compare it with one that a client sends back. No client receives that
 * answer, so handlers must not record it as read.
 */
export const readBackHeader = 'x-read-back'

/** Carries the client's `User-Agent` between processes, where gRPC replaces that header by its own. */
export const userAgentHeader = 'x-user-agent'

/** The client's `User-Agent`, at most `maxLength` characters of it. */
export function userAgentOf({ requestHeader }: HandlerContext, maxLength: number): string | null {
  const value = requestHeader.get(userAgentHeader) ?? requestHeader.get('user-agent')
  return decodeHeader(value)?.slice(0, maxLength) ?? null
}
