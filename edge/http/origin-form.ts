/** Clients of a proxy send absolute URLs (RFC 9112, 3.2.2); Express and the handshake expect paths. */
export const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
