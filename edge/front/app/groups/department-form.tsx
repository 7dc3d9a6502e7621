import { useState } from 'preact/hooks'
import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { choicesOf, flat, type PlacedDepartment } from '../members/groups-of.ts'
import { PersonPicker, type PickedPerson } from '../members/person-picker.tsx'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Select, TextArea, TextField } from '../ui/controls.tsx'
import { FormDialog } from '../ui/dialogs.tsx'
import { notify } from '../ui/feedback.tsx'
import { useFields } from '../ui/form.tsx'

type Props = {
  node?: DepartmentNode
  parentId?: string
  places: PlacedDepartment[]
  onClose: () => void
  onSaved: (id: string) => Promise<void>
}

/** Creates, renames and moves a department. It can't be moved below itself. */
export function DepartmentForm({ node, parentId, places, onClose, onSaved }: Props) {
  const t = useTexts('groups/department-form')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const { values, field } = useFields({
    name: node?.name ?? '',
    code: node?.code ?? '',
    description: node?.description ?? '',
    parentId: node ? (node.parentId ?? '') : (parentId ?? ''),
  })
  const [manager, setManager] = useState<PickedPerson | null>(node?.manager ?? null)
  const subtreeIds = new Set(node ? flat([node]).map(one => one.node.id) : [])
  const save = useAction(async () => {
    const body = {
      name: values.name.trim(),
      code: values.code.trim() || null,
      description: values.description.trim() || null,
      parentId: values.parentId || null,
      managerId: manager?.id ?? null,
    }
    const { id } = node
      ? await platform.member.updateDepartment({ id: node.id, body })
      : await platform.member.createDepartment({ body: { ...body, workspaceId: workspace.id } })
    await onSaved(id)
    notify(t.saved)
    onClose()
  })
  const title = node ? t.edit : t.add
  return (
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals(save.error)} onClose={onClose}>
      <TextField label={t.name} {...field('name', save)} required maxLength={255} />
      <Select
        label={t.parent}
        {...field('parentId', save)}
        choices={[{ value: '', text: t.root }, ...choicesOf(places.filter(one => !subtreeIds.has(one.node.id)))]}
      />
      <PersonPicker label={t.manager} pickedPerson={manager} onPick={setManager} />
      <TextField label={t.code} {...field('code', save)} maxLength={120} />
      <TextArea label={t.description} {...field('description', save)} rows={2} maxLength={5000} />
    </FormDialog>
  )
}
