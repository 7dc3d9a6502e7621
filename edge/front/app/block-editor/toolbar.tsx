import { useRef } from 'preact/hooks'
import { useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { FileChooser } from '../ui/file-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { type Entry, isTextKind, kindOf, type TextKind, textKinds } from './document.ts'
import { mark } from './rich-text.tsx'

const addableKinds = ['paragraph', 'header', 'subheader', 'bullets', 'numbers', 'quote', 'delimiter', 'code'] as const

type ToolbarProps = {
  entry: Entry | undefined
  isFirst: boolean
  isLast: boolean
  turn: (kind: TextKind) => void
  move: (by: -1 | 1) => void
  remove: () => void
  add: (kind: (typeof addableKinds)[number]) => void
  addFiles: (files: File[], allowedKind?: 'pictures') => void
  link: () => void
  /** Returns the focus to the block. */
  back: () => void
}

/** The tools for the current block. They stay in view above the text. */
export function Toolbar({ entry, isFirst, isLast, turn, move, remove, add, addFiles, link, back }: ToolbarProps) {
  const t = useTexts('block-editor/toolbar')
  const names = useTexts('block-editor/block-view')
  const pictures = useRef<HTMLInputElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const kind = entry && kindOf(entry.block)
  const isText = kind !== undefined && isTextKind(kind)
  const fixed = kind !== undefined && !isText ? (kind === 'other' ? (entry?.block.type ?? '') : names[kind]) : undefined
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
      <Menu
        class="kind"
        name={t.kind}
        text={fixed ?? (isText ? names[kind] : names.paragraph)}
        disabled={!isText}
        choices={textKinds.map(one => ({ text: names[one], checked: one === kind, act: () => turn(one) }))}
      />
      <span class="tools">
        <IconButton name={t.bold} icon="bold" disabled={!isText} onClick={() => mark('bold')} />
        <IconButton name={t.italic} icon="italic" disabled={!isText} onClick={() => mark('italic')} />
        <IconButton name={t.link} icon="link" disabled={!isText} onClick={link} />
        <IconButton name={t.up} icon="up" disabled={!entry || isFirst} onClick={() => move(-1)} />
        <IconButton name={t.down} icon="down" disabled={!entry || isLast} onClick={() => move(1)} />
        <IconButton name={t.remove} icon="trash" disabled={!entry} onClick={remove} />
      </span>
      <Menu
        class="add"
        name={t.add}
        icon="plus"
        choices={[
          ...addableKinds.map(one => ({ text: names[one], act: () => add(one) })),
          { text: names.image, act: () => pictures.current?.click() },
          { text: names.attaches, act: () => files.current?.click() },
        ]}
      />
      <FileChooser element={pictures} name={t.picture} accept="image/*" onFiles={list => addFiles(list, 'pictures')} />
      <FileChooser element={files} name={t.file} onFiles={list => addFiles(list)} />
    </div>
  )
}
