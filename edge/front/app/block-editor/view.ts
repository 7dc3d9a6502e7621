import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history, redo, undo } from 'prosemirror-history'
import { InputRule, inputRules, undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { goToNextCell, tableEditing } from 'prosemirror-tables'
import { EditorView } from 'prosemirror-view'
import { type Content, readContent, writeContent } from './blocks.ts'
import {
  addBreak,
  backToParagraph,
  joinItem,
  leavePart,
  move,
  type TextKind,
  toggleItem,
  turnInto,
} from './commands.ts'
import type { TextFiles } from './files.ts'
import { PasteParser, withoutStyles } from './paste.ts'
import { schema } from './schema.ts'

type ViewOptions = {
  content: Content | null
  /** The text's name for screen readers, and what an empty one shows. */
  name: string
  placeholder: string
  files: TextFiles
  /** Plugins whose keys go first. */
  ownPlugins: Plugin[]
  onLink: () => void
  onState: (state: EditorState) => void
  onContent: (content: Content) => void
}

/** Shows the text in an element, where it is edited. */
export function createView(place: HTMLElement, options: ViewOptions): EditorView {
  const { content, name, placeholder, files, ownPlugins, onLink, onState, onContent } = options
  const parser = new PasteParser(picture => files.begin(picture))
  const openLink = () => {
    onLink()
    return true
  }
  const state = EditorState.create({
    doc: readContent(content),
    plugins: [...ownPlugins, keymap({ 'Mod-k': openLink }), ...plugins, files.plugin],
  })
  const view: EditorView = new EditorView(place, {
    state,
    attributes: {
      class: 'blocks',
      role: 'textbox',
      'aria-multiline': 'true',
      'aria-label': name,
      'data-placeholder': placeholder,
    },
    clipboardParser: parser,
    transformPastedHTML: withoutStyles,
    clipboardTextParser: (text, _context, isPlain) =>
      // Without an answer, lines become paragraphs.
      (isPlain ? undefined : parser.parseMarkdown(text)) as never,
    handleDrop: (view, event) => {
      const droppedFiles = [...(event.dataTransfer?.files ?? [])]
      if (droppedFiles.length === 0) return false
      const { pos = 0 } = view.posAtCoords({ left: event.clientX, top: event.clientY }) ?? {}
      view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(pos))))
      files.add(droppedFiles)
      return true
    },
    handleDOMEvents: {
      paste: (_view, event) => {
        const { clipboardData } = event
        const pastedFiles = [...(clipboardData?.files ?? [])]
        parser.rtf = clipboardData?.getData('text/rtf') ?? ''
        // Word and Excel add a picture of the text.
        const hasText = clipboardData
          ?.getData('text/html')
          .replace(/<[^>]*>/g, '')
          .trim()
        if (hasText || pastedFiles.length === 0) return false
        event.preventDefault()
        files.add(pastedFiles)
        return true
      },
      click: (view, event) => {
        if (!(event.target instanceof HTMLInputElement)) return false
        const tr = toggleItem(view.state, view.posAtDOM(event.target, 0))
        if (tr) view.dispatch(tr)
        return true
      },
    },
    dispatchTransaction: tr => {
      const before = view.state
      const next = before.apply(tr)
      view.updateState(next)
      onState(next)
      if (next.doc !== before.doc) onContent(writeContent(content, next.doc))
    },
  })
  return view
}

const { nodes, marks } = schema

const check: Command = (state, dispatch) => {
  const tr = toggleItem(state, state.selection.from)
  if (!tr) return false
  dispatch?.(tr)
  return true
}

const newItem = { isDone: false, source: null }
const inCell: Command = ({ selection: { $head } }) => Boolean($head.parent.type.spec['tableRole'])
const addBreakInCell: Command = (state, dispatch, view) => inCell(state) && addBreak(state, dispatch, view)

const keys: Record<string, Command> = {
  'Mod-b': toggleMark(marks.bold),
  'Mod-i': toggleMark(marks.italic),
  'Mod-u': toggleMark(marks.underline),
  'Mod-Shift-x': toggleMark(marks.strike),
  'Mod-e': toggleMark(marks.inlineCode),
  'Mod-z': undo,
  'Mod-y': redo,
  'Mod-Shift-z': redo,
  Enter: chainCommands(leavePart, addBreakInCell, splitListItem(nodes.item, newItem)),
  'Shift-Enter': addBreak,
  'Mod-Enter': chainCommands(exitCode, check),
  Tab: chainCommands(goToNextCell(1), sinkListItem(nodes.item)),
  'Shift-Tab': chainCommands(goToNextCell(-1), liftListItem(nodes.item)),
  Backspace: chainCommands(undoInputRule, backToParagraph, joinItem),
  'Alt-Shift-ArrowUp': move(-1),
  'Alt-Shift-ArrowDown': move(1),
}

/** What turns a paragraph into another kind when a space follows it at its start. */
const blockShortcuts: [pattern: RegExp, kind: TextKind][] = [
  [/^#\s$/, 'header'],
  [/^#{2,6}\s$/, 'subheader'],
  [/^[-*+]\s$/, 'bullets'],
  [/^1[.)]\s$/, 'numbers'],
  [/^\[[ x]?\]\s$/, 'checks'],
  [/^>\s$/, 'quote'],
  [/^!\s$/, 'callout'],
  [/^```\s$/, 'code'],
]

/** Marks by what is written around a text. */
const markShortcuts: [pattern: RegExp, mark: MarkType][] = [
  [/\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, marks.bold],
  [/(?<!\*)\*([^*\s](?:[^*]*[^*\s])?)\*$/, marks.italic],
  [/(?<![\w_])_([^_\s](?:[^_]*[^_\s])?)_$/, marks.italic],
  [/~~([^~]+)~~$/, marks.strike],
  [/==([^=]+)==$/, marks.highlight],
  [/`([^`]+)`$/, marks.inlineCode],
]

const rules = [
  ...blockShortcuts.map(
    ([pattern, kind]) =>
      new InputRule(pattern, ({ tr, selection: { $head } }, _match, start, end) =>
        $head.depth === 1 && $head.parent.type === nodes.paragraph && turnInto(tr.delete(start, end), kind) ? tr : null,
      ),
  ),
  new InputRule(/^(---|\*\*\*)$/, ({ tr, selection: { $head } }, _match, start, end) =>
    $head.depth === 1 && $head.parent.type === nodes.paragraph
      ? tr.delete(start, end).insert($head.before(), nodes.divider.create())
      : null,
  ),
  ...markShortcuts.map(
    ([pattern, mark]) =>
      new InputRule(pattern, ({ tr }, match, start, end) => {
        const text = match[1] ?? ''
        const textStart = start + match[0].indexOf(text)
        tr.delete(textStart + text.length, end).delete(start, textStart)
        return tr.addMark(start, start + text.length, mark.create()).removeStoredMark(mark)
      }),
  ),
]

/** Keeps a paragraph at the end, so that a document that ends with a picture or table goes on. */
const lastParagraph = new Plugin({
  appendTransaction: (_transactions, _oldState, { doc, tr }) =>
    doc.lastChild?.type === nodes.paragraph ? null : tr.insert(doc.content.size, nodes.paragraph.create()),
})

const plugins = [
  keymap(keys),
  keymap(baseKeymap),
  inputRules({ rules }),
  history(),
  lastParagraph,
  dropCursor(),
  gapCursor(),
  tableEditing(),
]
