import { keymap } from 'prosemirror-keymap'
import { EditorState, Plugin, TextSelection } from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { type Content, readContent, writeContent } from './blocks.ts'
import { toggleItem } from './commands.ts'
import type { TextFiles } from './files.ts'
import { PasteParser, withoutStyles } from './paste.ts'
import { plugins } from './plugins.ts'

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
