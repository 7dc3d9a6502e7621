/**
 * The access token of an Authorization header: `Bearer` in any case, one or more spaces (RFC 9110 11.4), the token.
 * Undefined for anything else.
 */
export const bearerToken = (authorization: string): string | undefined => /^Bearer +(\S+)$/i.exec(authorization)?.[1]
