import { useRef, useState } from 'preact/hooks'
import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNameOf } from '../ui/people.tsx'

type Props = { roots: DepartmentNode[]; selected: string; onSelect: (id: string) => void }

/**
 * The tree of departments. Up and Down move, Right opens or enters, Left closes or leaves, Home and End jump, and a
 * letter finds the next name that begins with it; Enter selects.
 */
export function DepartmentTree({ roots, selected, onSelect }: Props) {
  const t = useTexts('common')
  const nameOf = useNameOf()
  const root = useRef<HTMLUListElement>(null)
  const [closedIds, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focusedId, setFocused] = useState(selected)
  const toggle = (id: string) =>
    setClosed(now => new Set(now.has(id) ? [...now].filter(one => one !== id) : [...now, id]))
  const isShown = (nodes: DepartmentNode[], id: string): boolean =>
    nodes.some(node => node.id === id || (!closedIds.has(node.id) && isShown(node.subDepartments, id)))
  const tabStop = isShown(roots, focusedId) ? focusedId : roots[0]?.id

  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rows = [...(root.current?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? [])]
    const index = rows.findIndex(row => row === document.activeElement)
    const row = rows[index]
    const { id } = row?.dataset ?? {}
    if (!row || !id) return
    const isExpanded = row.ariaExpanded === null ? undefined : row.ariaExpanded === 'true'
    const actionByKey: Record<string, () => void> = {
      ArrowDown: () => rows[index + 1]?.focus(),
      ArrowUp: () => rows[index - 1]?.focus(),
      Home: () => rows[0]?.focus(),
      End: () => rows.at(-1)?.focus(),
      ArrowRight: () => {
        if (isExpanded === false) toggle(id)
        else if (isExpanded) rows[index + 1]?.focus()
      },
      ArrowLeft: () => {
        if (isExpanded) toggle(id)
        else row.closest('[role=group]')?.parentElement?.querySelector<HTMLElement>('[role=treeitem]')?.focus()
      },
      Enter: () => onSelect(id),
      ' ': () => onSelect(id),
    }
    const action = actionByKey[event.key]
    if (action) action()
    else if (event.key.length === 1) {
      const letter = event.key.toLocaleLowerCase()
      const after = [...rows.slice(index + 1), ...rows.slice(0, index + 1)]
      after.find(one => one.textContent?.toLocaleLowerCase().startsWith(letter))?.focus()
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  // Levels are named one by one: a group inside its item would make the item's name that of all below.
  const branch = (nodes: DepartmentNode[], depth: number) =>
    nodes.map((node, index) => {
      const hasBelow = node.subDepartments.length > 0
      const isClosed = closedIds.has(node.id)
      return (
        <li key={node.id} role="none">
          <div
            class="tree-row row lights"
            role="treeitem"
            data-id={node.id}
            aria-level={depth}
            aria-posinset={index + 1}
            aria-setsize={nodes.length}
            aria-selected={node.id === selected}
            aria-expanded={hasBelow ? !isClosed : undefined}
            tabIndex={node.id === tabStop ? 0 : -1}
            onFocus={() => setFocused(node.id)}
            onClick={() => onSelect(node.id)}
          >
            <span
              class="twist"
              data-closed={isClosed}
              onClick={event => {
                if (!hasBelow) return
                event.stopPropagation()
                toggle(node.id)
              }}
            >
              {hasBelow && <Icon name="down" size={18} />}
            </span>
            <span class="tree-name">
              <bdi>{node.name}</bdi>
              <span class="hint">
                {node.manager && `${nameOf(node.manager)} · `}
                {fill(t.people, { count: node.membersCount })}
              </span>
            </span>
          </div>
          {hasBelow && !isClosed && (
            <ul role="group" class="branch">
              {branch(node.subDepartments, depth + 1)}
            </ul>
          )}
        </li>
      )
    })
  return (
    <ul role="tree" class="tree box" aria-label={t.departments} ref={root} onKeyDown={onKey}>
      {branch(roots, 1)}
    </ul>
  )
}
