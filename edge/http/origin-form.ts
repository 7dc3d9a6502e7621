/** Clients that speak to a proxy write the whole address (RFC 9112, 3.2.2); Express and the handshake know paths alone. */
export const originForm = (url: string): string => url.replace(/^https?:\/\/[^/?#]*\/?/i, '/')
