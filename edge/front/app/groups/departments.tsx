import { useState } from 'preact/hooks'
import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { flat, useDepartments } from '../members/groups-of.ts'
import { Section } from '../members/section.tsx'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { DepartmentDetail } from './department-detail.tsx'
import { DepartmentForm } from './department-form.tsx'
import { DepartmentTree } from './department-tree.tsx'

/** The hotel's departments as a tree, with the chosen one beside it. */
export function Departments() {
  const t = useTexts('groups/departments')
  const { may } = useMemberContext()
  const departments = useDepartments()
  const selectedId = useQuery().get('department') ?? ''
  const [editedDepartment, setEdited] = useState<{ node?: DepartmentNode; parentId?: string } | undefined>(undefined)
  const roots = departments.value
  const places = flat(roots ?? [])
  const selectedNode = places.find(({ node }) => node.id === selectedId)?.node
  return (
    <Section
      title={t.departments}
      path="/members/departments"
      actions={
        may('manage_members') && (
          <Button
            variant="main"
            icon="plus"
            onClick={() => setEdited(selectedNode ? { parentId: selectedNode.id } : {})}
          >
            {t.add}
          </Button>
        )
      }
    >
      <Problem error={departments.error} onRetry={() => void departments.reload()} />
      {!roots && !departments.error && <Loading />}
      {roots?.length === 0 && (
        <Empty icon="hotel" title={t.none}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {roots && roots.length > 0 && (
        <div class="split">
          <DepartmentTree roots={roots} selected={selectedId} onSelect={id => changeQuery({ department: id })} />
          {selectedNode ? (
            <DepartmentDetail
              key={selectedNode.id}
              node={selectedNode}
              onEdit={() => setEdited({ node: selectedNode })}
              onChange={() => departments.reload()}
            />
          ) : (
            <p class="hint">{t.choose}</p>
          )}
        </div>
      )}
      {editedDepartment && (
        <DepartmentForm
          {...editedDepartment}
          places={places}
          onClose={() => setEdited(undefined)}
          onSaved={async id => {
            await departments.reload()
            changeQuery({ department: id })
          }}
        />
      )}
    </Section>
  )
}
