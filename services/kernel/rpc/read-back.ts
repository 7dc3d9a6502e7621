/**
 * Set by the edge where it reads a record only to compare it with one that a client sends back. Nobody looks at that
 * answer, so a handler notes nothing about the caller's having read it.
 */
export const readBackHeader = 'x-read-back'
