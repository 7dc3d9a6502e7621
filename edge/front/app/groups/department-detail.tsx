import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { useRefusals } from '../members/refusals.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Loading, Problem } from '../ui/feedback.tsx'
import { GroupActions } from './group-actions.tsx'
import { GroupPeople } from './group-people.tsx'

type Props = { node: DepartmentNode; onEdit: () => void; onChange: () => Promise<void> }

/** The chosen department with its people. */
export function DepartmentDetail({ node, onEdit, onChange }: Props) {
  const t = useTexts('groups/department-detail')
  const { may } = useMemberContext()
  const refusals = useRefusals()
  const isManager = may('manage_members')
  const { value, error, reload } = useLoad(`department/${node.id}`, signal =>
    platform.member.listDepartmentMembers({ id: node.id }, { signal }),
  )
  const change = useAction(async (act: () => Promise<unknown>) => {
    await act()
    await reload()
    void onChange()
  })
  const people = (value?.data ?? []).map(one => ({
    ...one,
    isFirst: one.role === 'manager' || one.id === node.manager?.id,
  }))
  return (
    <section class="card" aria-labelledby="department-name">
      <h2 id="department-name" dir="auto">
        {node.name}
      </h2>
      {node.code && <p class="hint">{fill(t.code, { code: node.code })}</p>}
      {node.description && <p dir="auto">{node.description}</p>}
      <Problem error={error ?? change.error} statusTexts={refusals(change.error)} />
      {!value && !error && <Loading />}
      {value && (
        <GroupPeople
          people={people}
          first={t.manager}
          makeFirst={t.makeManager}
          add={t.add}
          isBusy={change.isRunning}
          isChangeable={isManager}
          onAdd={memberId =>
            void change.run(() =>
              platform.member.addDepartmentMember({ id: node.id, body: { memberId, role: 'member' } }),
            )
          }
          onFirst={memberId =>
            void change.run(() => platform.member.updateDepartment({ id: node.id, body: { managerId: memberId } }))
          }
          onRemove={memberId =>
            void change.run(() => platform.member.removeDepartmentMember({ id: node.id, memberId }))
          }
        />
      )}
      {isManager && (
        <GroupActions
          name={node.name}
          consequence={t.removeText}
          removedText={t.removed}
          onEdit={onEdit}
          onRemove={async () => {
            await platform.member.deleteDepartment({ id: node.id })
            await onChange()
          }}
        />
      )}
    </section>
  )
}
