import { useRef, useState } from 'preact/hooks'
import type { DepartmentNode } from '../../../../gen/client/member.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { useNameOf } from '../ui/people.tsx'

type TreeRow = { node: DepartmentNode; depth: number; parent: string | undefined }
type Props = { roots: DepartmentNode[]; selected: string; onSelect: (id: string) => void }

const visibleRowsOf = (
  nodes: DepartmentNode[],
  closedIds: ReadonlySet<string>,
  depth = 1,
  parent?: string,
): TreeRow[] =>
  nodes.flatMap(node => [
    { node, depth, parent },
    ...(closedIds.has(node.id) ? [] : visibleRowsOf(node.subDepartments, closedIds, depth + 1, node.id)),
  ])

/**
 * The tree of departments. Up and Down move, Right opens or enters, Left closes or leaves, Home and End jump, and a
 * letter finds the next name that begins with it; Enter selects.
 */
export function DepartmentTree({ roots, selected, onSelect }: Props) {
  const t = useTexts('common')
  const nameOf = useNameOf()
  const [closedIds, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [focused, setFocused] = useState(selected)
  const elements = useRef(new Map<string, HTMLElement>())
  const treeRows = visibleRowsOf(roots, closedIds)
  const tabStop = treeRows.some(({ node }) => node.id === focused) ? focused : treeRows[0]?.node.id

  const focus = (id: string | undefined) => {
    if (!id) return
    setFocused(id)
    elements.current.get(id)?.focus()
  }
  const toggle = (id: string, close: boolean) =>
    setClosed(now => {
      const next = new Set(now)
      if (close) next.add(id)
      else next.delete(id)
      return next
    })
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const focusedIndex = treeRows.findIndex(({ node }) => node.id === tabStop)
    const focusedRow = treeRows[focusedIndex]
    if (!focusedRow) return
    const { node, parent } = focusedRow
    const hasBelow = node.subDepartments.length > 0
    const actionByKey: Record<string, () => void> = {
      ArrowDown: () => focus(treeRows[focusedIndex + 1]?.node.id),
      ArrowUp: () => focus(treeRows[focusedIndex - 1]?.node.id),
      Home: () => focus(treeRows[0]?.node.id),
      End: () => focus(treeRows.at(-1)?.node.id),
      ArrowRight: () => {
        if (hasBelow && closedIds.has(node.id)) toggle(node.id, false)
        else if (hasBelow) focus(treeRows[focusedIndex + 1]?.node.id)
      },
      ArrowLeft: () => {
        if (hasBelow && !closedIds.has(node.id)) toggle(node.id, true)
        else focus(parent)
      },
      Enter: () => onSelect(node.id),
      ' ': () => onSelect(node.id),
    }
    const action = actionByKey[event.key]
    if (action) action()
    else if (event.key.length === 1) {
      const letter = event.key.toLocaleLowerCase()
      const after = [...treeRows.slice(focusedIndex + 1), ...treeRows.slice(0, focusedIndex + 1)]
      focus(after.find(one => one.node.name.toLocaleLowerCase().startsWith(letter))?.node.id)
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
            class="tree-row"
            role="treeitem"
            aria-level={depth}
            aria-posinset={index + 1}
            aria-setsize={nodes.length}
            aria-selected={node.id === selected}
            aria-expanded={hasBelow ? !isClosed : undefined}
            tabIndex={node.id === tabStop ? 0 : -1}
            ref={element => {
              if (element) elements.current.set(node.id, element)
              else elements.current.delete(node.id)
            }}
            onFocus={() => setFocused(node.id)}
            onClick={() => {
              focus(node.id)
              onSelect(node.id)
            }}
          >
            <span
              class={hasBelow ? 'twist' : 'twist leaf'}
              data-closed={isClosed}
              onClick={event => {
                if (!hasBelow) return
                event.stopPropagation()
                toggle(node.id, !isClosed)
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
          {hasBelow && !isClosed && <ul role="group">{branch(node.subDepartments, depth + 1)}</ul>}
        </li>
      )
    })
  return (
    <ul role="tree" class="tree" aria-label={t.departments} onKeyDown={onKey}>
      {branch(roots, 1)}
    </ul>
  )
}
