/** One thing that was looked at. */
export type Finding = {
  what: string
  /** well; note: nothing to mend, but worth knowing; fault: the platform does not work like this. */
  state: 'well' | 'note' | 'fault'
  detail: string
  /** What to do about it. */
  mend?: string
}

/** What is as it must be. */
export const well = (what: string, detail: string): Finding => ({ what, state: 'well', detail })
/** What works, and is worth knowing. */
export const note = (what: string, detail: string, mend?: string): Finding => ({
  what,
  state: 'note',
  detail,
  ...(mend ? { mend } : {}),
})
/** What keeps the platform from working, and how it is mended. */
export const fault = (what: string, detail: string, mend: string): Finding => ({ what, state: 'fault', detail, mend })
