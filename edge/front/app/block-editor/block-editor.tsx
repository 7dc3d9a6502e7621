import { useEffect, useRef, useState } from 'preact/hooks'
import { closeHistory } from 'prosemirror-history'
import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { useTexts } from '../platform/texts.ts'
import { UploadList, useUploads } from '../ui/uploads.tsx'
import type { Content } from './blocks.ts'
import { TextFiles } from './files.ts'
import { followSigns, Suggestions } from './suggestions.tsx'
import { LinkDialog, Toolbar, useAdditions } from './toolbar.tsx'
import { createView } from './view.ts'

export type BlockEditorProps = { content: Content | null; onContent: (content: Content) => void }

/** Edits a document of Editor.js: a text of blocks, and the tools for those that are selected. */
export function BlockEditor({ content, onContent }: BlockEditorProps) {
  const t = useTexts('block-editor/block-editor')
  const root = useRef<HTMLDivElement>(null)
  const place = useRef<HTMLDivElement>(null)
  const uploads = useUploads('pages')
  const callbacks = useRef({ onContent, uploads })
  callbacks.current = { onContent, uploads }
  const [files] = useState(() => new TextFiles((...args) => callbacks.current.uploads.add(...args)))
  const view = useRef<EditorView | undefined>(undefined)
  const suggestionKeys = useRef((_event: KeyboardEvent) => false)
  const [state, setState] = useState<EditorState>()
  const [isLinking, setLinking] = useState(false)

  useEffect(() => {
    if (!place.current) return
    const newView = createView(place.current, {
      content,
      name: t.content,
      placeholder: t.write,
      files,
      ownPlugins: [followSigns(event => suggestionKeys.current(event))],
      onLink: () => setLinking(true),
      onState: setState,
      onContent: next => callbacks.current.onContent(next),
    })
    view.current = newView
    files.view = newView
    setState(newView.state)
    return () => {
      files.view = undefined
      newView.destroy()
    }
  }, [])

  const run = (command: Command) => {
    const { current } = view
    if (!current) return
    // Each is undone by itself.
    command(current.state, tr => current.dispatch(closeHistory(tr)), current)
    current.focus()
  }
  const { additions, choosers } = useAdditions(run, (list, kind) => files.add(list, kind))
  return (
    <div
      class="block-editor"
      ref={root}
      role="group"
      aria-label={t.content}
      onKeyDown={event => {
        if (!event.altKey || event.key !== 'F10') return
        root.current?.querySelector<HTMLElement>('.block-tools button:not(:disabled)')?.focus()
        event.preventDefault()
      }}
    >
      {state && (
        <Toolbar
          state={state}
          run={run}
          additions={additions}
          link={() => setLinking(true)}
          back={() => view.current?.focus()}
        />
      )}
      <div class="block-text anchor">
        <div ref={place} />
        {view.current && <Suggestions view={view.current} additions={additions} run={run} keys={suggestionKeys} />}
      </div>
      {choosers}
      <UploadList uploads={uploads} />
      <p class="hint">{t.keys}</p>
      {isLinking && view.current && <LinkDialog view={view.current} onClose={() => setLinking(false)} />}
    </div>
  )
}
