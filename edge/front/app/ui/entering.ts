import { useEffect } from 'preact/hooks'
import type { MyWorkspace } from '../../../../gen/client/member.ts'
import { chooseWorkspace, isOpen, session } from '../platform/session.ts'
import { useStore } from '../platform/store.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { notify } from './feedback.tsx'

/**
 * Switches to a workspace that holds the shown page, such as after a link of a mail.
 * @param isSuitable whether a workspace holds what is shown; undefined while it loads
 */
export function useEnterWorkspace(isSuitable: ((workspace: MyWorkspace) => boolean) | undefined): void {
  const t = useTexts('ui/entering')
  const now = useStore(session)
  const isElsewhere = now.kind === 'in' && now.workspace && isSuitable && !isSuitable(now.workspace)
  const target = isElsewhere ? now.workspaces.find(one => isOpen(one) && isSuitable(one)) : undefined
  useEffect(() => {
    if (!target) return
    chooseWorkspace(target.id)
    notify(fill(t.entered, { name: target.name }))
  }, [target?.id])
}
