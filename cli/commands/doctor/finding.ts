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
export const well = (title: string, detail: string): Finding => ({ what: title, state: 'well', detail })
/** A check that passed with a note. */
export const note = (title: string, detail: string, mend?: string): Finding => ({
  what: title,
  state: 'note',
  detail,
  ...(mend ? { mend } : {}),
})
/** A check that failed, and its fix. */
export const fault = (title: string, detail: string, mend: string): Finding => ({
  what: title,
  state: 'fault',
  detail,
  mend,
})

/** Tokens last minutes and leases seconds: a difference of one second is a note, five are a fault. */
export function clockFinding(title: string, aheadMs: number): Finding {
  const difference = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
  if (Math.abs(aheadMs) < 1_000) return well(title, 'in sync')
  const mend = 'synchronise both machines with one time server (chrony or systemd-timesyncd)'
  return Math.abs(aheadMs) < 5_000 ? note(title, difference, mend) : fault(title, difference, mend)
}
