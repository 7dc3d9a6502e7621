import { useState } from 'preact/hooks'
import type { MemberDetail } from '../../../../gen/client/member.ts'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { saveFile } from '../ui/download.ts'
import { notify, Problem } from '../ui/feedback.tsx'
import { useNameOf } from '../ui/people.tsx'
import { useRefusals } from './refusals.ts'
import { isAdministrator } from './roles-of.ts'

type Kind = 'suspend' | 'remove' | 'delete' | 'erase'
type Props = { member: MemberDetail; status: string; reload: () => Promise<void> }

/** Suspends, removes, deletes and erases a person, and exports their data; each needs its own permission. */
export function Departure({ member, status, reload }: Props) {
  const t = useTexts('members/departure')
  const context = useMemberContext()
  const refusals = useRefusals()
  const name = useNameOf()(member)
  const [dialog, setDialog] = useState<Kind | undefined>(undefined)
  const { id } = member
  const { id: workspaceId } = context.workspace
  const place = member.workspaces.find(one => one.workspaceId === workspaceId)
  const isAbove = (place?.workspaceRole === 'admin' || place?.isAdmin) && !isAdministrator(context)
  const isSelf = id === context.memberId
  const mayManage = context.may('manage_members') && !isAbove && !isSelf
  const mayRemove = context.may('remove_members') && !isAbove && !isSelf

  const callByKind: Record<Kind, () => Promise<unknown>> = {
    suspend: () => platform.member.suspendWorkspaceMember({ workspaceId, memberId: id, body: {} }),
    remove: () => platform.member.removeWorkspaceMember({ workspaceId, memberId: id }),
    delete: () => platform.member.deleteMember({ id }),
    erase: () => platform.member.eraseMember({ id, body: {} }),
  }
  const removal = useAction(async (kind: Kind) => {
    await callByKind[kind]()
    if (kind === 'suspend') await reload()
    setDialog(undefined)
    if (kind !== 'suspend') go('/members')
    notify({ suspend: t.suspended, remove: t.removed, delete: t.deleted, erase: t.erased }[kind])
  })
  const reactivate = useAction(async () => {
    await platform.member.reactivateWorkspaceMember({ workspaceId, memberId: id, body: {} })
    await reload()
    notify(t.reactivated)
  })
  const save = useAction(async () => {
    const data = await platform.member.exportMemberData({ id })
    saveFile(`${id}.json`, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    notify(t.exported)
  })
  if (!mayManage && !mayRemove && !context.may('export_data')) return null
  const askToConfirm = (kind: Kind) => {
    removal.clear()
    setDialog(kind)
  }
  const isElsewhere =
    dialog === 'erase' && removal.error instanceof PlatformError && !removal.error.message.startsWith('Cannot manage')
  const texts: Record<Kind, { title: string; text: string; submit: string; phrase?: string }> = {
    suspend: { title: fill(t.suspendTitle, { name }), text: t.suspendText, submit: t.suspend },
    remove: { title: fill(t.removeTitle, { name }), text: t.removeText, submit: t.remove },
    delete: { title: fill(t.deleteTitle, { name }), text: t.deleteText, submit: t.delete, phrase: member.email },
    erase: { title: fill(t.eraseTitle, { name }), text: t.eraseText, submit: t.erase, phrase: member.email },
  }
  return (
    <section class="card" aria-labelledby="departure">
      <h2 id="departure">{t.title}</h2>
      <Problem error={reactivate.error ?? save.error} statusTexts={refusals(reactivate.error)} />
      <div class="stack">
        {mayManage && status === 'active' && <Button onClick={() => askToConfirm('suspend')}>{t.suspend}</Button>}
        {mayManage && status === 'suspended' && (
          <Button variant="main" isBusy={reactivate.isRunning} onClick={() => void reactivate.run()}>
            {t.reactivate}
          </Button>
        )}
        {context.may('export_data') && (
          <Button icon="download" isBusy={save.isRunning} onClick={() => void save.run()}>
            {t.export}
          </Button>
        )}
        {mayRemove && <Button onClick={() => askToConfirm('remove')}>{t.remove}</Button>}
        {mayRemove && (
          <Button variant="quiet" class="danger-text" icon="trash" onClick={() => askToConfirm('delete')}>
            {t.delete}
          </Button>
        )}
        {mayRemove && (
          <Button variant="quiet" class="danger-text" icon="warning" onClick={() => askToConfirm('erase')}>
            {t.erase}
          </Button>
        )}
      </div>
      {dialog && (
        <Confirm
          {...texts[dialog]}
          isDanger
          action={{ ...removal, run: () => removal.run(dialog) }}
          statusTexts={isElsewhere ? { 403: t.elsewhere } : refusals(removal.error)}
          onClose={() => setDialog(undefined)}
        />
      )}
    </section>
  )
}
