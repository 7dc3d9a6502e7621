import { baseKeymap, chainCommands, exitCode, toggleMark } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history, redo, undo } from 'prosemirror-history'
import { InputRule, inputRules, undoInputRule } from 'prosemirror-inputrules'
import { keymap } from 'prosemirror-keymap'
import type { MarkType } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem } from 'prosemirror-schema-list'
import { type Command, Plugin } from 'prosemirror-state'
import { goToNextCell, tableEditing } from 'prosemirror-tables'
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
import { schema } from './schema.ts'

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

export const plugins = [
  keymap(keys),
  keymap(baseKeymap),
  inputRules({ rules }),
  history(),
  lastParagraph,
  dropCursor(),
  gapCursor(),
  tableEditing(),
]
