import { useRef } from 'preact/hooks'
import type { Command } from 'prosemirror-state'
import { useTexts } from '../platform/texts.ts'
import { FileChooser } from '../ui/file-button.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { insertBlock, newTable, type TextKind, textKinds, turn } from './commands.ts'
import { schema } from './schema.ts'

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
