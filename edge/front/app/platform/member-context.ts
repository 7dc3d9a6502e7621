import { useRef } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { may, session } from './session.ts'
import { useStore } from './store.ts'

export type MemberContext = {
  /** The signed-in person's member id. */
  memberId: string
  workspace: MyWorkspace
  /** Whether the person holds a permission in this workspace. */
  may: (permission: string) => boolean
}

/** Who is signed in and where, for pages inside the frame; the last state while the session ends. */
export function useMemberContext(): MemberContext {
  const now = useStore(session)
  const lastContext = useRef<MemberContext | undefined>(undefined)
  if (now.kind === 'in' && now.workspace)
    lastContext.current = {
      memberId: now.user.memberId ?? '',
      workspace: now.workspace,
      may: permission => may(now, permission),
    }
  if (!lastContext.current) throw new Error('no workspace is shown')
  return lastContext.current
}
