import { useState } from 'preact/hooks'
import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { choicesOf, flat, type PlacedDepartment, useDepartments } from '../members/groups-of.ts'
import { PersonPicker, type PickedPerson } from '../members/person-picker.tsx'
import { Section } from '../members/section.tsx'
import { useRefusals } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, Select, TextArea, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { Empty, Loaded, notify } from '../ui/feedback.tsx'
import { FormDialog, useFields } from '../ui/form.tsx'
import { Card } from '../ui/page.tsx'
import { DepartmentTree } from './department-tree.tsx'
import { GroupActions, GroupPeople } from './group-people.tsx'

/** The hotel's departments as a tree, with the chosen one beside it. */
export function Departments() {
  const t = useTexts('groups/departments')
  const { may } = useMemberContext()
  const departments = useDepartments()
  const { department: selectedId } = useQuery('department')
  const places = flat(departments.value ?? [])
  const selectedNode = places.find(({ node }) => node.id === selectedId)?.node
  const openForm = (edited: { node?: DepartmentNode; parentId?: string }) =>
    openDialog(close => (
      <DepartmentForm
        {...edited}
        places={places}
        onClose={close}
        onSaved={async id => {
          await departments.reload()
          changeQuery({ department: id })
        }}
      />
    ))
  return (
    <Section
      title={t.departments}
      path="/members/departments"
      actions={
        may('manage_members') && (
          <Button
            variant="main"
            icon="plus"
            onClick={() => openForm(selectedNode ? { parentId: selectedNode.id } : {})}
          >
            {t.add}
          </Button>
        )
      }
    >
      <Loaded load={departments} empty={<Empty icon="hotel" title={t.none} text={t.noneText} />}>
        {roots => (
          <div class="columns stack loose">
            <DepartmentTree roots={roots} selected={selectedId} onSelect={id => changeQuery({ department: id })} />
            {selectedNode ? (
              <DepartmentDetail
                key={selectedNode.id}
                node={selectedNode}
                onEdit={() => openForm({ node: selectedNode })}
                onChange={() => departments.reload()}
              />
            ) : (
              <p class="hint">{t.choose}</p>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

type DepartmentDetailProps = { node: DepartmentNode; onEdit: () => void; onChange: () => Promise<void> }

/** The chosen department with its people. */
function DepartmentDetail({ node, onEdit, onChange }: DepartmentDetailProps) {
  const t = useTexts('groups/department-detail')
  const { id } = node
  const isManager = useMemberContext().may('manage_members')
  return (
    <Card title={<bdi>{node.name}</bdi>}>
      {node.code && <p class="hint">{fill(t.codeIs, { code: node.code })}</p>}
      {node.description && <p dir="auto">{node.description}</p>}
      <GroupPeople
        group={`department/${id}`}
        list={signal => platform.member.listDepartmentMembers({ id }, { signal })}
        firstRole="manager"
        firstId={node.manager?.id}
        texts={{ first: t.manager, makeFirst: t.makeManager, add: t.add }}
        actions={{
          add: memberId => platform.member.addDepartmentMember({ id, body: { memberId, role: 'member' } }),
          makeFirst: managerId => platform.member.updateDepartment({ id, body: { managerId } }),
          remove: memberId => platform.member.removeDepartmentMember({ id, memberId }),
        }}
        onChange={() => void onChange()}
      />
      {isManager && (
        <GroupActions
          name={node.name}
          consequence={t.removeText}
          removedText={t.removed}
          onEdit={onEdit}
          onRemove={async () => {
            await platform.member.deleteDepartment({ id })
            await onChange()
          }}
        />
      )}
    </Card>
  )
}

type DepartmentFormProps = {
  node?: DepartmentNode
  parentId?: string
  places: PlacedDepartment[]
  onClose: () => void
  onSaved: (id: string) => Promise<void>
}

/** Creates, renames and moves a department. It can't be moved below itself. */
function DepartmentForm({ node, parentId, places, onClose, onSaved }: DepartmentFormProps) {
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
    <FormDialog title={title} submit={t.save} action={save} statusTexts={refusals} onClose={onClose}>
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
