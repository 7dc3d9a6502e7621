import { useState } from 'preact/hooks'
import type { Team } from '../../../../gen/client/member.ts'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { TextArea, TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { notify } from '../ui/feedback.tsx'

type Props = { team: Team | undefined; onClose: () => void; onSaved: () => Promise<void> }

export function TeamForm({ team, onClose, onSaved }: Props) {
  const t = useTexts('groups/team-form')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const [name, setName] = useState(team?.name ?? '')
  const [description, setDescription] = useState(team?.description ?? '')
  const [color, setColor] = useState(team?.color ?? '#0f766e')
  const save = useAction(async () => {
    const body = { name: name.trim(), description: description.trim() || null, color }
    if (team) await platform.member.updateTeam({ id: team.id, body })
    else await platform.member.createTeam({ body: { ...body, workspaceId: workspace.id } })
    await onSaved()
    notify(t.saved)
    onClose()
  })
  return (
    <FormDialog
      title={team ? t.edit : t.add}
      submit={t.save}
      action={save}
      statusTexts={refusals(save.error)}
      onClose={onClose}
    >
      <TextField
        label={t.name}
        value={name}
        onValue={setName}
        error={save.fields['name']}
        required
        maxLength={255}
        autofocus
      />
      <TextArea
        label={t.description}
        value={description}
        onValue={setDescription}
        error={save.fields['description']}
        rows={2}
        maxLength={5000}
      />
      <TextField label={t.color} type="color" value={color} onValue={setColor} />
    </FormDialog>
  )
}
