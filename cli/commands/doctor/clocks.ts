import { fault, type Finding, note, well } from './finding.ts'

/** Tokens last minutes and leases seconds: a difference of one second is a note, five are a fault. */
export function clockFinding(what: string, aheadMs: number): Finding {
  const apart = `${(Math.abs(aheadMs) / 1_000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine`
  if (Math.abs(aheadMs) < 1_000) return well(what, 'in sync')
  const mend = 'synchronise both machines with one time server (chrony or systemd-timesyncd)'
  return Math.abs(aheadMs) < 5_000 ? note(what, apart, mend) : fault(what, apart, mend)
}
