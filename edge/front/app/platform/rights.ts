import { useEffect } from 'preact/hooks'
import { missedFrames, useFrames, useRoom } from './live.ts'
import { forgetLoads, reloadAll } from './load.ts'
import { isOpen, loadSession, type SignedInSession, session } from './session.ts'

const rightsOf = ({ workspaces }: SignedInSession): string =>
  JSON.stringify(
    workspaces.map(({ id, status, workspaceRole, permissions }) => [id, status, workspaceRole, permissions]),
  )

/**
 * Joins the rooms of the open workspaces, and follows the signed-in person's rights, memberships and suspension: loads
 * them again when a frame reports a change.
 * @param onChange called when something changed
 */
export function useFollowRights(now: SignedInSession, onChange: () => void): void {
  const ids = now.workspaces.filter(isOpen).map(({ id }) => id)
  const check = () => {
    const before = session.get()
    void loadSession()
      .then(() => {
        const after = session.get()
        if (before.kind !== 'in' || after.kind !== 'in' || rightsOf(before) === rightsOf(after)) return
        // In the same workspace the screens stay, with what is written on them.
        if (before.workspace?.id === after.workspace?.id) reloadAll()
        else forgetLoads()
        onChange()
      })
      .catch(() => undefined)
  }
  // A room is refused when a membership ended while no socket was open to receive the change.
  useRoom('joinWorkspaces', ids, check)
  useEffect(() => missedFrames.subscribe(check))
  useFrames('role:updated', check)
  useFrames('room:left', ({ room }: { room: string }) => /^workspace:[^:]+$/.test(room) && check())
}
