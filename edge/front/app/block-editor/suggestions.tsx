import { useEffect, useState } from 'preact/hooks'
import { type Command, type EditorState, Plugin, PluginKey } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { WorkspaceMemberItem } from '../../../../gen/client/member.ts'
import { toPlainText, useMemberSearch } from '../members/person-picker.tsx'
import { useTexts } from '../platform/texts.ts'
import type { MenuItem } from '../ui/menu.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { schema } from './schema.ts'

/** What is typed after a sign that opens a list: `/` or `@`. */
type Typing = { sign: string; query: string; from: number; to: number; isDismissed: boolean }

const key = new PluginKey<Typing | null>('suggestions')

function typingIn({ selection: { $head, empty } }: EditorState): Omit<Typing, 'isDismissed'> | null {
  if (!empty || !$head.parent.inlineContent || $head.parent.type.spec.code) return null
  const text = $head.parent.textBetween(0, $head.parentOffset, undefined, '\ufffc')
  const [, sign = '', query = ''] = /(?:^|\s)([/@])([^\s/@]*(?: [^\s/@]+)?)$/.exec(text) ?? []
  return sign ? { sign, query, from: $head.pos - query.length - 1, to: $head.pos } : null
}

/** Follows what is typed after a sign. Keys go to the list first. */
export const followSigns = (onKey: (event: KeyboardEvent) => boolean): Plugin =>
  new Plugin<Typing | null>({
    key,
    state: {
      init: () => null,
      apply: (tr, before, _oldState, state) => {
        const typing = typingIn(state)
        // A caret that only passes by opens nothing.
        if (!typing || !(tr.docChanged || before)) return null
        return {
          ...typing,
          isDismissed: Boolean(tr.getMeta(key)) || (before?.from === typing.from && before.isDismissed),
        }
      },
    },
    props: { handleKeyDown: (_view, event) => onKey(event) },
  })

type Choice = { name: string; person?: WorkspaceMemberItem; act: () => void }

const mention =
  ({ memberId }: WorkspaceMemberItem, name: string): Command =>
  ({ tr }, dispatch) => {
    const node = schema.nodes.mention.create({ memberId, name })
    dispatch?.(tr.replaceSelectionWith(node, true).insertText(' ').scrollIntoView())
    return true
  }

type SuggestionsProps = {
  view: EditorView
  /** What `/` offers. */
  additions: MenuItem[]
  run: (command: Command) => void
  keys: { current: (event: KeyboardEvent) => boolean }
}

/** A list at the caret: of blocks after `/`, of colleagues after `@`. Arrow keys and Enter choose, Escape closes it. */
export function Suggestions({ view, additions, run, keys }: SuggestionsProps) {
  const t = useTexts('block-editor/suggestions')
  const nameOf = useNameOf()
  const [focusedIndex, setFocusedIndex] = useState(0)
  const typing = key.getState(view.state)
  const isOpen = typing && !typing.isDismissed
  const search = isOpen && typing.sign === '@' ? typing.query : null
  const { members } = useMemberSearch(search)
  const allChoices: Choice[] =
    search === null
      ? additions.map(({ text, act }) => ({ name: text, act }))
      : members.map(person => ({ name: nameOf(person), person, act: () => run(mention(person, nameOf(person))) }))
  const query = toPlainText(typing?.query ?? '')
  const choices = isOpen ? allChoices.filter(({ name }) => toPlainText(name).includes(query)).slice(0, 8) : []
  const index = Math.min(focusedIndex, choices.length - 1)
  const choose = (choice: Choice | undefined) => {
    if (!typing || !choice) return
    view.dispatch(view.state.tr.delete(typing.from, typing.to))
    choice.act()
  }
  keys.current = event => {
    if (choices.length === 0 || event.isComposing) return false
    if (event.key === 'ArrowDown') setFocusedIndex((index + 1) % choices.length)
    else if (event.key === 'ArrowUp') setFocusedIndex((index + choices.length - 1) % choices.length)
    else if (event.key === 'Enter' || event.key === 'Tab') choose(choices[index])
    else if (event.key === 'Escape') view.dispatch(view.state.tr.setMeta(key, true))
    else return false
    return true
  }
  useEffect(() => setFocusedIndex(0), [typing?.from, query])
  const hasChoices = choices.length > 0
  useEffect(() => {
    if (!hasChoices) return
    const names = { 'aria-controls': 'suggestions', 'aria-activedescendant': `suggestion-${index}` }
    for (const [name, text] of Object.entries(names)) view.dom.setAttribute(name, text)
    for (const id of Object.values(names)) document.getElementById(id)?.scrollIntoView({ block: 'nearest' })
    return () => {
      for (const name of Object.keys(names)) view.dom.removeAttribute(name)
    }
  }, [hasChoices, index])
  if (!typing || !hasChoices) return null

  const caret = view.coordsAtPos(typing.from)
  const place = view.dom.getBoundingClientRect()
  const offset = Math.max(0, Math.min(caret.left - place.left, place.width - 260))
  return (
    <ul
      id="suggestions"
      class="picker-list suggestions"
      role="listbox"
      aria-label={typing.sign === '@' ? t.people : t.blocks}
      style={{ left: `${offset}px`, top: `${caret.bottom - place.top + 4}px` }}
    >
      {choices.map((choice, number) => (
        <li
          key={choice.person?.memberId ?? choice.name}
          class="row"
          id={`suggestion-${number}`}
          role="option"
          aria-selected={number === index}
          onMouseDown={event => {
            event.preventDefault()
            choose(choice)
          }}
        >
          {choice.person && <Avatar person={choice.person} size={28} />}
          <bdi>{choice.name}</bdi>
        </li>
      ))}
    </ul>
  )
}
