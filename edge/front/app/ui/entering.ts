import { useEffect } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { chooseWorkspace, isOpen, session } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { notify } from './feedback.tsx'

/**
 * Enters a workspace of what is shown when another one is entered, as after a link of a mail.
 * @param holds whether a workspace holds what is shown; undefined while it loads
 */
export function useEnterWorkspace(holds: ((workspace: MyWorkspace) => boolean) | undefined): void {
  const t = useTexts('ui/entering')
  const now = useStore(session)
  const isElsewhere = now.kind === 'in' && now.workspace && holds && !holds(now.workspace)
  const target = isElsewhere ? now.workspaces.find(one => isOpen(one) && holds(one)) : undefined
  useEffect(() => {
    if (!target) return
    chooseWorkspace(target.id)
    notify(fill(t.entered, { name: target.name }))
  }, [target?.id])
}
