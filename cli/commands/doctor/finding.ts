/** The result of one check. */
export type Finding = {
  what: string
  /** well; note: worth knowing; fault: keeps the platform from working. */
  state: 'well' | 'note' | 'fault'
  detail: string
  /** How to fix it. */
  mend?: string
}

/** A check that passed. */
export const well = (what: string, detail: string): Finding => ({ what, state: 'well', detail })
/** A check that passed with a note. */
export const note = (what: string, detail: string, mend?: string): Finding => ({
  what,
  state: 'note',
  detail,
  ...(mend ? { mend } : {}),
})
/** A check that failed, and its fix. */
export const fault = (what: string, detail: string, mend: string): Finding => ({ what, state: 'fault', detail, mend })
