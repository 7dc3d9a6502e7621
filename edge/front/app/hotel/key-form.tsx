import { useState } from 'preact/hooks'
import type { CreateCredentialResponse } from '../../../../gen/client/auth.ts'
import { PermissionChoice, usePermissions } from '../members/permission-list.tsx'
import { useAction } from '../platform/action.ts'
import { useHere } from '../platform/here.ts'
import { platform } from '../platform/session.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { dayOf } from '../platform/times.ts'
import { TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { Loading, Problem } from '../ui/feedback.tsx'

const words = texts({
  en: {
    title: 'New API key',
    text: 'Give it only the permissions that the program needs. You can only grant permissions that you have yourself.',
    expires: 'Valid until',
    expiresHint: 'Leave empty for a key that never expires.',
    create: 'Create the key',
  },
  fr: {
    title: 'Nouvelle clé d’API',
    text: 'Ne lui donnez que les droits dont le logiciel a besoin. Vous ne pouvez donner que des droits que vous avez.',
    expires: 'Valable jusqu’au',
    expiresHint: 'Laissez vide pour une clé qui n’expire pas.',
    create: 'Créer la clé',
  },
})

type Props = { onClose: () => void; onMade: (key: CreateCredentialResponse) => Promise<void> }

export function KeyForm({ onClose, onMade }: Props) {
  const t = useTexts(words)
  const { workspace, may } = useHere()
  const permissions = usePermissions()
  const [chosen, setChosen] = useState(new Set<string>())
  const [until, setUntil] = useState('')
  const create = useAction(async () => {
    const made = await platform.auth.createCredential({
      body: {
        ecosystemId: workspace.ecosystemId,
        permissions: [...chosen],
        // The chosen day is the last one.
        ...(until ? { expiresAt: new Date(`${until}T23:59:59`).toISOString() } : {}),
      },
    })
    await onMade(made)
  })
  const shown = permissions.value?.filter(({ slug, level }) => level === 'ecosystem' || may(slug))
  return (
    <FormDialog title={t.title} submit={t.create} action={create} onClose={onClose}>
      <p>{t.text}</p>
      <Problem error={permissions.error} />
      {!shown && !permissions.error && <Loading />}
      {shown && <PermissionChoice permissions={shown} chosen={chosen} onChosen={setChosen} />}
      <TextField
        label={t.expires}
        hint={t.expiresHint}
        type="date"
        min={dayOf(new Date())}
        value={until}
        onValue={setUntil}
        error={create.fields['expiresAt']}
      />
    </FormDialog>
  )
}
