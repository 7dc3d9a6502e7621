/** The result of one check. */
export type Finding = {
  title: string
  /** note: worth knowing; fault: keeps the platform from working. */
  state: 'ok' | 'note' | 'fault'
  detail: string
  /** How to fix it. */
  fix?: string
}

/** A check that passed. */
export const ok = (title: string, detail: string): Finding => ({ title, state: 'ok', detail })
/** A check that passed with a note. */
export const note = (title: string, detail: string, fix?: string): Finding => ({
  title,
  state: 'note',
  detail,
  ...(fix ? { fix } : {}),
})
/** A check that failed, and its fix. */
export const fault = (title: string, detail: string, fix: string): Finding => ({
  title,
  state: 'fault',
  detail,
  fix,
})

/** Tokens last minutes and leases seconds: a difference of one second is a note, five are a fault. */
export function clockFinding(title: string, aheadMs: number): Finding {
  const difference = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
  if (Math.abs(aheadMs) < 1_000) return ok(title, 'in sync')
  const fix = 'synchronise both machines with one time server (chrony or systemd-timesyncd)'
  return Math.abs(aheadMs) < 5_000 ? note(title, difference, fix) : fault(title, difference, fix)
}
