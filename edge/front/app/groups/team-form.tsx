import type { Team } from '../../../../gen/client/member.ts'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { TextArea, TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { notify } from '../ui/feedback.tsx'
import { useFields } from '../ui/form.tsx'

type Props = { team: Team | undefined; onClose: () => void; onSaved: () => Promise<void> }

export function TeamForm({ team, onClose, onSaved }: Props) {
  const t = useTexts('groups/team-form')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const { values, field } = useFields({
    name: team?.name ?? '',
    description: team?.description ?? '',
    color: team?.color ?? '#0f766e',
  })
  const save = useAction(async () => {
    const body = { ...values, name: values.name.trim(), description: values.description.trim() || null }
    if (team) await platform.member.updateTeam({ id: team.id, body })
    else await platform.member.createTeam({ body: { ...body, workspaceId: workspace.id } })
    await onSaved()
    notify(t.saved)
    onClose()
  })
  const title = team ? t.edit : t.add
  return (
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals(save.error)} onClose={onClose}>
      <TextField label={t.name} {...field('name', save)} required maxLength={255} autofocus />
      <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />
      <TextField label={t.color} {...field('color', save)} type="color" />
    </FormDialog>
  )
}
