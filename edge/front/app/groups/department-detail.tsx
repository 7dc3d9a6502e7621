import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { GroupActions } from './group-actions.tsx'
import { GroupPeople } from './group-people.tsx'

type Props = { node: DepartmentNode; onEdit: () => void; onChange: () => Promise<void> }

/** The chosen department with its people. */
export function DepartmentDetail({ node, onEdit, onChange }: Props) {
  const t = useTexts('groups/department-detail')
  const { id } = node
  const isManager = useMemberContext().may('manage_members')
  return (
    <section class="card" aria-labelledby="department-name">
      <h2 id="department-name" dir="auto">
        {node.name}
      </h2>
      {node.code && <p class="hint">{fill(t.code, { code: node.code })}</p>}
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
    </section>
  )
}
