/**
 * Set by the edge when it reads a record only to compare it with one that a client sends back. No client receives that
 * answer, so handlers must not record it as read.
 */
export const readBackHeader = 'x-read-back'
