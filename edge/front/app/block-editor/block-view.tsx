import { fill, useTexts } from '../platform/texts.ts'
import { TextField } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { placeCaret, type Spot } from './caret.ts'
import { type BlocksChange, joinBlock, joinItem, pasteLines, replaceBlock, splitBlock, splitItem } from './changes.ts'
import { type Block, type Entry, fileAddress, itemsOf, kindOf, textOf, withData, withItems } from './document.ts'
import { RichText } from './rich-text.tsx'

type BlockViewProps = {
  entry: Entry
  entries: Entry[]
  isOnly: boolean
  change: (next: BlocksChange) => void
  leave: (key: string, item: number, direction: -1 | 1) => void
  onFiles: (files: File[]) => void
  onLink: () => void
}

/** One block as it is edited. */
export function BlockView(props: BlockViewProps) {
  const { entry, entries, isOnly, change, leave, onFiles, onLink } = props
  const t = useTexts('block-editor/block-view')
  const { key, block } = entry
  const kind = kindOf(block)
  const set = (next: Block) => change({ entries: replaceBlock(entries, key, [{ key, block: next }]) })
  const common = { onFiles, onLink }
  if (kind === 'bullets' || kind === 'numbers') return <ListItems {...props} />
  if (kind === 'code')
    return (
      <textarea
        class="code"
        aria-label={t.code}
        dir="ltr"
        rows={Math.max(3, textOf(block.data['code']).split('\n').length)}
        spellcheck={false}
        value={textOf(block.data['code'])}
        onInput={event => set(withData(block, { code: event.currentTarget.value }))}
      />
    )
  if (kind === 'image')
    return (
      <figure>
        <img src={fileAddress(block)} alt="" />
        <TextField
          label={t.caption}
          hint={t.captionHint}
          value={textOf(block.data['caption'])}
          onValue={caption => set(withData(block, { caption }))}
        />
      </figure>
    )
  if (kind === 'attaches')
    return (
      <div class="attached">
        <Icon name="file" size={28} />
        <TextField
          label={t.fileTitle}
          value={textOf(block.data['title'])}
          onValue={title => set(withData(block, { title }))}
        />
      </div>
    )
  if (kind === 'delimiter') return <StillBlock {...props} label={t.delimiter} text="* * *" />
  if (kind === 'other')
    return <StillBlock {...props} label={block.type} text={fill(t.other, { type: block.type || '?' })} />
  return (
    <>
      <RichText
        {...common}
        class={kind}
        label={t[kind]}
        {...(isOnly || kind !== 'paragraph' ? { placeholder: kind === 'paragraph' ? t.write : t[kind] } : {})}
        value={textOf(block.data['text'])}
        onValue={text => set(withData(block, { text }))}
        onSplit={(before, after) => change(splitBlock(entries, entry, before, after))}
        onJoin={() => change(joinBlock(entries, entry))}
        onLeave={direction => leave(key, 0, direction)}
        onLines={lines => change(pasteLines(entries, entry, lines))}
      />
      {kind === 'quote' && (
        <TextField
          label={t.source}
          value={textOf(block.data['caption'])}
          onValue={caption => set(withData(block, { caption }))}
        />
      )}
    </>
  )
}

function ListItems({ entry, entries, change, leave, onFiles, onLink }: BlockViewProps) {
  const t = useTexts('block-editor/block-view')
  const { key, block } = entry
  const items = itemsOf(block)
  const List = kindOf(block) === 'numbers' ? 'ol' : 'ul'
  const set = (item: number, text: string) =>
    change({ entries: replaceBlock(entries, key, [{ key, block: withItems(block, items.with(item, text)) }]) })
  return (
    <List>
      {items.map((text, item) => (
        // biome-ignore lint: items have no identity of their own
        <li key={item}>
          <RichText
            label={fill(t.item, { number: item + 1 })}
            value={text}
            onValue={value => set(item, value)}
            onSplit={(before, after) => change(splitItem(entries, entry, item, before, after))}
            onJoin={() => change(joinItem(entries, entry, item))}
            onLeave={direction => leave(key, item, direction)}
            onLines={lines => change(pasteLines(entries, entry, lines, item))}
            onFiles={onFiles}
            onLink={onLink}
          />
        </li>
      ))}
    </List>
  )
}

type StillBlockProps = BlockViewProps & { label: string; text: string }

/** A block without text. The keyboard comes to it, writes after it and removes it. */
function StillBlock({ entry, leave, label, text }: StillBlockProps) {
  const { key, block } = entry
  return (
    // biome-ignore lint/a11y: reached by the keyboard like the texts around it
    <div
      class={`still ${kindOf(block)}`}
      role="group"
      aria-label={label}
      tabIndex={0}
      onKeyDown={event => {
        if (event.altKey || event.shiftKey) return
        if (event.key === 'ArrowUp') leave(key, 0, -1)
        else if (event.key === 'ArrowDown') leave(key, 0, 1)
        else return
        event.preventDefault()
      }}
    >
      {text}
    </div>
  )
}

/** Gives the focus to a block, or to an item of a list. */
export function focusBlock(root: HTMLElement | null, key: string, item: number | undefined, spot: Spot): boolean {
  const row = root?.querySelector(`[data-key="${key}"]`)
  const fields = [...(row?.querySelectorAll<HTMLElement>('.rich, .still, textarea, input') ?? [])]
  const field = item === undefined && spot === 'end' ? fields.at(-1) : fields[item ?? 0]
  if (!field) return false
  placeCaret(field, spot)
  return true
}
