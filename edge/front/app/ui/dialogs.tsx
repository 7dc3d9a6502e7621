import { type ComponentChildren, Fragment } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { createStore, useStore } from '../platform/store.ts'
import { useTexts } from '../platform/texts.ts'
import { IconButton } from './controls.tsx'
import { focusHeading } from './page.tsx'

const dialogs = createStore<{ id: number; content: ComponentChildren }[]>([])
let lastId = 0

/** Opens a dialog above the page; `content` receives the function that closes it. */
export function openDialog(content: (close: () => void) => ComponentChildren): void {
  const id = ++lastId
  const close = () => dialogs.set(open => open.filter(one => one.id !== id))
  dialogs.set(open => [...open, { id, content: content(close) }])
}

/** Closes all dialogs, as when the page below them is left. */
export const closeDialogs = (): void => dialogs.set([])

/** The open dialogs, the latest above the others. */
export const Dialogs = () => (
  <>
    {useStore(dialogs).map(({ id, content }) => (
      <Fragment key={id}>{content}</Fragment>
    ))}
  </>
)

type DialogProps = {
  title: string
  onClose: () => void
  /** `large` for what is read or compared. */
  size?: 'large'
  children: ComponentChildren
}

/** A question or form above the page. Takes the focus, and restores it when it closes. */
export function Dialog({ title, onClose, size, children }: DialogProps) {
  const t = useTexts('ui/dialogs')
  const heading = useId()
  const element = useRef<HTMLDialogElement>(null)
  // Before anything else can move the focus.
  useLayoutEffect(() => {
    const previousFocus = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (previousFocus instanceof HTMLElement) previousFocus.focus()
      // The button that opened the dialog may be gone, or about to go, and the focus with it.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusHeading()
      })
    }
  }, [])
  return (
    <dialog
      ref={element}
      class={size ? `dialog ${size}` : 'dialog'}
      aria-labelledby={heading}
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
    >
      <header>
        <h2 id={heading}>{title}</h2>
        <IconButton name={t.close} icon="close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  )
}
