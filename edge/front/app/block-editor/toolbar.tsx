import { useRef, useState } from 'preact/hooks'
import { toggleMark } from 'prosemirror-commands'
import { redo, undo } from 'prosemirror-history'
import type { MarkType } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import { addColumnAfter, addRowAfter, deleteColumn, deleteRow, isInTable, toggleHeaderRow } from 'prosemirror-tables'
import type { EditorView } from 'prosemirror-view'
import { linkAddress } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Button, FileChooser, Form, IconButton, TextField } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { Menu, type MenuItem } from '../ui/menu.tsx'
import {
  insertBlock,
  kindOf,
  move,
  newTable,
  remove,
  selectedBlocks,
  type TextKind,
  textKinds,
  turn,
} from './commands.ts'
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
      class="block-tools row wrap"
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

const { nodes } = schema

/** Adds a block of a kind after the selected ones. */
const add =
  (kind: TextKind | 'table' | 'divider'): Command =>
  (state, dispatch, view) => {
    if (kind === 'table' || kind === 'divider')
      dispatch?.(insertBlock(state.tr, kind === 'table' ? newTable() : nodes.divider.create()))
    else {
      dispatch?.(insertBlock(state.tr, nodes.paragraph.create()))
      if (view) turn(kind)(view.state, dispatch)
    }
    return true
  }

/** What can be added to the text, and the browser's dialogs for files. */
export function useAdditions(
  run: (command: Command) => void,
  addFiles: (files: File[], allowedKind?: 'pictures') => void,
) {
  const t = useTexts('block-editor/toolbar')
  const pictures = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const additions: MenuItem[] = [
    ...textKinds.map(one => ({ text: t.kinds[one], act: () => run(add(one)) })),
    { text: t.kinds.table, act: () => run(add('table')) },
    { text: t.kinds.divider, act: () => run(add('divider')) },
    { text: t.kinds.figure, act: () => pictures.current?.click() },
    { text: t.kinds.card, act: () => files.current?.click() },
  ]
  const choosers = (
    <>
      <FileChooser element={pictures} name={t.pictures} accept="image/*" onFiles={list => addFiles(list, 'pictures')} />
      <FileChooser element={files} name={t.files} onFiles={list => addFiles(list)} />
    </>
  )
  return { additions, choosers }
}

const { link } = schema.marks

/** What somebody meant by an address: `hotel.example` and `name@hotel.example` lack their scheme. */
function addressMeant(typedText: string): string | undefined {
  const text = typedText.trim()
  if (text === '') return undefined
  if (/^[^\s/:@]+@[^\s/:@]+\.[^\s/:@]+$/.test(text)) return `mailto:${text}`
  if (/^[^\s/:@]+\.[^\s:@]+$/.test(text)) return linkAddress(`https://${text}`)
  return linkAddress(text)
}

/** The selected words, or the whole link that the caret is in, with its address. */
function linkPlace({ selection: { $from, from, to, empty }, doc }: EditorState) {
  let href = ''
  if (!empty) {
    doc.nodesBetween(from, to, node => void (href ||= String(link.isInSet(node.marks)?.attrs['href'] ?? '')))
    return { from, to, href }
  }
  const mark = link.isInSet($from.marks())
  if (!mark) return { from, to, href }
  const { parent } = $from
  const isLinked = (index: number) =>
    index >= 0 && Boolean(parent.maybeChild(index) && mark.isInSet(parent.child(index).marks))
  let first = $from.index()
  if (!isLinked(first)) first--
  let last = first
  while (isLinked(first - 1)) first--
  while (isLinked(last + 1)) last++
  return { from: $from.posAtIndex(first), to: $from.posAtIndex(last + 1), href: String(mark.attrs['href']) }
}

/** Sets, changes or removes the link of the selected words. Without any, the address is written as its own text. */
export function LinkDialog({ view, onClose }: { view: EditorView; onClose: () => void }) {
  const t = useTexts('block-editor/link-dialog')
  const [{ from, to, href }] = useState(() => linkPlace(view.state))
  const [text, setText] = useState(href)
  const [error, setError] = useState<string>()
  const apply = () => {
    const address = addressMeant(text)
    if (text.trim() !== '' && address === undefined) return setError(t.wrong)
    const { tr } = view.state
    const end = from === to && address ? to + text.trim().length : to
    if (end > to) tr.insertText(text.trim(), from)
    tr.removeMark(from, end, link)
    if (address) tr.addMark(from, end, link.create({ href: address }))
    view.dispatch(tr)
    onClose()
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <Form onSubmit={apply}>
        <TextField label={t.address} hint={t.hint} error={error} value={text} onValue={setText} autofocus />
        <footer>
          <Button onClick={onClose}>{t.cancel}</Button>
          <Button variant="main" type="submit">
            {text.trim() === '' ? t.remove : t.set}
          </Button>
        </footer>
      </Form>
    </Dialog>
  )
}
