import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { MediaFile } from '../../../../gen/client/media.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { UploadList, useUploads } from '../ui/uploads.tsx'
import { BlockView, focusBlock } from './block-view.tsx'
import { type BlocksChange, insertBlocksAfter, moveBlock, removeBlock, replaceBlock } from './changes.ts'
import {
  type Block,
  blockOf,
  type Content,
  type Entry,
  kindOf,
  newEntry,
  readBlocks,
  type TextKind,
  textOf,
  turnInto,
  writeBlocks,
} from './document.ts'
import { LinkDialog } from './link-dialog.tsx'
import { Toolbar } from './toolbar.tsx'

const pictureOf = ({ fileUrl }: MediaFile): Block => ({
  type: 'image',
  data: { file: { url: fileUrl }, caption: '', withBorder: false, withBackground: false, stretched: false },
})
const attachmentOf = ({ fileUrl, fileName, size }: MediaFile): Block => ({
  type: 'attaches',
  data: { file: { url: fileUrl, name: fileName, size, extension: fileName.split('.').at(-1) ?? '' }, title: fileName },
})

type BlocksEditorProps = { content: Content | null; onContent: (content: Content) => void }

/** Edits a document of Editor.js: a list of blocks, of which one is current, and the tools for it. */
export function BlocksEditor({ content, onContent }: BlocksEditorProps) {
  const t = useTexts('block-editor/blocks-editor')
  const names = useTexts('block-editor/block-view')
  const root = useRef<HTMLDivElement>(null)
  const lastContent = useRef(content)
  const [entries, setEntries] = useState(() => readBlocks(content))
  const latestEntries = useRef(entries)
  const [current, setCurrent] = useState<string>()
  const [before, setBefore] = useState<Entry[]>()
  const [linked, setLinked] = useState<Range>()
  const nextFocus = useRef<BlocksChange['focus']>(undefined)
  const uploads = useUploads('pages')
  // Another version was taken over, such as a revision.
  if (lastContent.current !== content) {
    lastContent.current = content
    latestEntries.current = readBlocks(content)
    setEntries(latestEntries.current)
  }
  useLayoutEffect(() => {
    const { current: spot } = nextFocus
    nextFocus.current = undefined
    if (spot) focusBlock(root.current, spot.key, spot.item, spot.spot)
  })

  const change = ({ entries: next, focus }: BlocksChange) => {
    latestEntries.current = next
    setEntries(next)
    setBefore(undefined)
    nextFocus.current = focus
    if (focus) setCurrent(focus.key)
    lastContent.current = writeBlocks(content, next)
    onContent(lastContent.current)
  }
  const leave = (key: string, item: number, direction: -1 | 1) => {
    const spot = direction === 1 ? 'start' : 'end'
    // An item of the same list, or the caption of a quote.
    if (item + direction >= 0 && focusBlock(root.current, key, item + direction, spot)) return
    const next = entries[entries.findIndex(entry => entry.key === key) + direction]
    if (next) focusBlock(root.current, next.key, undefined, spot)
  }
  /** @returns the key of the new block */
  const add = (block: Block, after = current, takesFocus = true): string => {
    const entry = newEntry(block)
    const anchor = latestEntries.current.find(one => one.key === after)
    // An empty paragraph gives its place.
    const isEmpty = anchor && kindOf(anchor.block) === 'paragraph' && textOf(anchor.block.data['text']) === ''
    const next = isEmpty
      ? replaceBlock(latestEntries.current, anchor.key, [entry])
      : insertBlocksAfter(latestEntries.current, after, [entry])
    change({ entries: next, ...(takesFocus ? { focus: { key: entry.key, spot: 'start' } } : {}) })
    if (isEmpty) setCurrent(key => (key === anchor.key ? entry.key : key))
    return entry.key
  }
  const addFiles = (files: File[], allowedKind?: 'pictures') => {
    let after = current
    const focused = document.activeElement
    let expectedEntries = latestEntries.current
    const store = (file: MediaFile) => {
      // Somebody who writes or moves on while files are stored keeps the caret.
      const waits = document.activeElement === focused && latestEntries.current === expectedEntries
      after = add(file.contentType.startsWith('image/') ? pictureOf(file) : attachmentOf(file), after, waits)
      expectedEntries = latestEntries.current
    }
    uploads.add(files, store, allowedKind)
  }
  const remove = () => {
    if (current === undefined) return
    const entriesBefore = latestEntries.current
    change(removeBlock(entriesBefore, current))
    setBefore(entriesBefore)
  }
  const move = (by: -1 | 1) => {
    if (current !== undefined)
      change({ entries: moveBlock(latestEntries.current, current, by), focus: { key: current, spot: 'end' } })
  }
  const turn = (kind: TextKind) => {
    const entry = latestEntries.current.find(one => one.key === current)
    if (!entry) return
    const next = turnInto(entry, kind)
    const [first] = next
    change({
      entries: replaceBlock(latestEntries.current, entry.key, next),
      ...(first ? { focus: { key: first.key, spot: 'end' } } : {}),
    })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const isArrow = event.key === 'ArrowUp' || event.key === 'ArrowDown'
    if (event.altKey && event.shiftKey && isArrow) move(event.key === 'ArrowUp' ? -1 : 1)
    else if (event.altKey && event.key === 'F10')
      root.current?.querySelector<HTMLElement>('.block-tools button:not(:disabled)')?.focus()
    else return
    event.preventDefault()
  }
  const onStillKey = (event: KeyboardEvent, entry: Entry) => {
    if (!(event.target instanceof HTMLElement) || !event.target.matches('.still')) return
    if (event.key === 'Enter') change(addedParagraph(latestEntries.current, entry))
    else if (event.key === 'Backspace' || event.key === 'Delete') change(removeBlock(latestEntries.current, entry.key))
    else return
    event.preventDefault()
  }
  const entry = entries.find(one => one.key === current)
  const nameOf = (block: Block): string => {
    const kind = kindOf(block)
    return kind === 'other' ? block.type : names[kind]
  }

  return (
    <div class="blocks-editor" ref={root} role="group" aria-label={t.content} onKeyDown={onKeyDown}>
      <Toolbar
        entry={entry}
        isFirst={entries[0]?.key === current}
        isLast={entries.at(-1)?.key === current}
        turn={turn}
        move={move}
        remove={remove}
        add={kind => add(blockOf(kind))}
        addFiles={addFiles}
        link={() => setLinked(selected(root.current))}
        back={() => current !== undefined && focusBlock(root.current, current, undefined, 'end')}
      />
      {before && (
        <p class="note" role="status">
          {t.removed}{' '}
          <Button variant="quiet" class="small" onClick={() => change({ entries: before })}>
            {t.undo}
          </Button>
        </p>
      )}
      <div class="edited-blocks">
        {entries.map(one => (
          <div
            key={one.key}
            data-key={one.key}
            class={one.key === current ? 'edited-block current' : 'edited-block'}
            role="group"
            aria-label={nameOf(one.block)}
            onFocusIn={() => setCurrent(one.key)}
            onKeyDown={event => onStillKey(event, one)}
          >
            <BlockView
              entry={one}
              entries={entries}
              isOnly={entries.length === 1}
              change={change}
              leave={leave}
              onFiles={files => addFiles(files)}
              onLink={() => setLinked(selected(root.current))}
            />
          </div>
        ))}
      </div>
      <UploadList uploads={uploads} />
      <p class="hint">{t.keys}</p>
      {linked && <LinkDialog range={linked} onClose={() => setLinked(undefined)} />}
    </div>
  )
}

function addedParagraph(entries: Entry[], { key }: Entry): BlocksChange {
  const next = newEntry(blockOf('paragraph'))
  return { entries: insertBlocksAfter(entries, key, [next]), focus: { key: next.key, spot: 'start' } }
}

/** The selection, if it is in the text of a block. */
function selected(root: HTMLElement | null): Range | undefined {
  const selection = getSelection()
  if (!root || !selection || selection.rangeCount === 0) return undefined
  const range = selection.getRangeAt(0)
  return root.contains(range.commonAncestorContainer) ? range.cloneRange() : undefined
}
