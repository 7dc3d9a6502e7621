import { toggleMark } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { MarkType } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, isInTable, toggleHeaderRow } from 'prosemirror-tables'
import { useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import { kindOf, move, remove, selectedBlocks, textKinds, turn } from './commands.ts'
import { schema } from './schema.ts'

const { marks } = schema
const stillKinds = ['table', 'divider', 'figure', 'card'] as const

type ToolbarProps = {
  state: EditorState
  /** Runs a command on the text, which gets the focus. */
  run: (command: Command) => void
  additions: MenuItem[]
  link: () => void
  /** Returns the focus to the text. */
  back: () => void
}

function hasMark({ selection: { $from, from, to, empty }, doc, storedMarks }: EditorState, mark: MarkType): boolean {
  return empty ? Boolean(mark.isInSet(storedMarks ?? $from.marks())) : doc.rangeHasMark(from, to, mark)
}

/** The tools for the selected blocks. They stay in view above the text. */
export function Toolbar({ state, run, additions, link, back }: ToolbarProps) {
  const t = useTexts('block-editor/toolbar')
  const { blocks } = selectedBlocks(state)
  const [block] = blocks
  const kind = block && kindOf(block)
  const stillKind = stillKinds.find(one => one === block?.type.name) ?? 'other'
  const isWritable = state.selection.$from.parent.inlineContent
  const tool = (name: string, icon: 'bold' | 'italic' | 'underline', mark: MarkType) => (
    <IconButton
      name={name}
      icon={icon}
      disabled={!isWritable}
      aria-pressed={hasMark(state, mark)}
      onClick={() => run(toggleMark(mark))}
    />
  )
  return (
    <div
      class="block-tools"
      role="group"
      aria-label={t.tools}
      onKeyDown={event => {
        if (event.key === 'Escape') back()
      }}
      // The text keeps its selection while a button is pressed.
      onMouseDown={event => {
        if (event.target instanceof Element && event.target.closest('button')) event.preventDefault()
      }}
    >
      {isInTable(state) ? (
        <Menu
          name={t.kinds.table}
          text={t.kinds.table}
          choices={[
            { text: t.addRow, act: () => run(addRowAfter) },
            { text: t.addColumn, act: () => run(addColumnAfter) },
            { text: t.headRow, act: () => run(toggleHeaderRow) },
            { text: t.deleteRow, act: () => run(deleteRow) },
            { text: t.deleteColumn, act: () => run(deleteColumn) },
          ]}
        />
      ) : (
        <Menu
          name={t.kind}
          text={t.kinds[kind ?? stillKind]}
          disabled={!kind}
          choices={textKinds.map(one => ({ text: t.kinds[one], checked: one === kind, act: () => run(turn(one)) }))}
        />
      )}
      <Menu class="add" name={t.add} icon="plus" choices={additions} />
      <span class="tools">
        {tool(t.bold, 'bold', marks.bold)}
        {tool(t.italic, 'italic', marks.italic)}
        {tool(t.underline, 'underline', marks.underline)}
        <IconButton name={t.link} icon="link" disabled={!isWritable} onClick={link} />
        <IconButton name={t.undo} icon="undo" disabled={!undo(state)} onClick={() => run(undo)} />
        <IconButton name={t.redo} icon="redo" disabled={!redo(state)} onClick={() => run(redo)} />
        <IconButton name={t.up} icon="up" disabled={!move(-1)(state)} onClick={() => run(move(-1))} />
        <IconButton name={t.down} icon="down" disabled={!move(1)(state)} onClick={() => run(move(1))} />
        <IconButton name={t.remove} icon="trash" onClick={() => run(remove)} />
      </span>
    </div>
  )
}
