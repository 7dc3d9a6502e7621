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

/** Tokens last minutes and leases seconds: a difference of one second is a note, five are a fault. */
export function clockFinding(what: string, aheadMs: number): Finding {
  const apart = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
  if (Math.abs(aheadMs) < 1_000) return well(what, 'in sync')
  const mend = 'synchronise both machines with one time server (chrony or systemd-timesyncd)'
  return Math.abs(aheadMs) < 5_000 ? note(what, apart, mend) : fault(what, apart, mend)
}
