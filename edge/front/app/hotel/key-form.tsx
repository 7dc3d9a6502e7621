import { useState } from 'preact/hooks'
import type { CreateCredentialResponse } from '../../../../gen/client/auth.ts'
import { PermissionChoice, usePermissions } from '../members/permission-list.tsx'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { dayOf } from '../platform/times.ts'
import { TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'

type Props = { onClose: () => void; onMade: (key: CreateCredentialResponse) => Promise<void> }

export function KeyForm({ onClose, onMade }: Props) {
  const t = useTexts('hotel/key-form')
  const { workspace, may } = useMemberContext()
  const permissions = usePermissions()
  const [chosenSlugs, setChosenSlugs] = useState(new Set<string>())
  const [expiryDay, setExpiryDay] = useState('')
  const create = useAction(async () => {
    const credential = await platform.auth.createCredential({
      body: {
        ecosystemId: workspace.ecosystemId,
        permissions: [...chosenSlugs],
        // The chosen day is the last one.
        ...(expiryDay ? { expiresAt: new Date(`${expiryDay}T23:59:59`).toISOString() } : {}),
      },
    })
    await onMade(credential)
  })
  const grantablePermissions = permissions.value?.filter(({ slug, level }) => level === 'ecosystem' || may(slug))
  return (
    <FormDialog title={t.title} submit={t.create} action={create} onClose={onClose}>
      <p>{t.text}</p>
      <Problem error={permissions.error} />
      {!grantablePermissions && !permissions.error && <Loading />}
      {grantablePermissions && (
        <PermissionChoice permissions={grantablePermissions} chosenSlugs={chosenSlugs} onChosen={setChosenSlugs} />
      )}
      <TextField
        label={t.expires}
        hint={t.expiresHint}
        type="date"
        min={dayOf(new Date())}
        value={expiryDay}
        onValue={setExpiryDay}
        error={create.fields['expiresAt']}
      />
    </FormDialog>
  )
}
