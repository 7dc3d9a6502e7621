import { type ComponentChildren, Fragment } from 'preact'
import { useAction } from '../../front/app/platform/action.ts'
import { createStore, useStore } from '../../front/app/platform/store.ts'
import { Confirm, Dialog } from '../../front/app/ui/dialogs.tsx'
import { BlockedError } from '../../front/app/ui/feedback.tsx'
import { staleText, useIsStale } from './refresh.ts'
import { messageOf } from './session.ts'

const dialogs = createStore<{ id: number; content: ComponentChildren }[]>([])
let lastId = 0

function openDialog(content: (close: () => void) => ComponentChildren): void {
  const id = ++lastId
  const close = () => dialogs.set(open => open.filter(one => one.id !== id))
  dialogs.set(open => [...open, { id, content: content(close) }])
}

export const closeDialogs = (): void => dialogs.set([])

/** The open dialogs, the latest above the others. */
export const Dialogs = () => (
  <>
    {useStore(dialogs).map(({ id, content }) => (
      <Fragment key={id}>{content}</Fragment>
    ))}
  </>
)

/** Shows something in full; `content` receives the function that closes it. */
export function openSheet(title: string, content: (close: () => void) => ComponentChildren): void {
  openDialog(close => (
    <Dialog title={title} size="large" onClose={close}>
      <div class="stack">{content(close)}</div>
    </Dialog>
  ))
}

export type ConfirmedQuestion = { title: string; text: string; submit: string; isDanger?: boolean }

/**
 * Asks for confirmation, and stays open during the action. Nothing is done while the page is out of date.
 * @returns whether it was done; a refusal is shown in the dialog, which then asks again
 */
export function confirmed(question: ConfirmedQuestion, act: () => Promise<unknown>): Promise<boolean> {
  return new Promise(resolve =>
    openDialog(close => {
      const settle = (isDone: boolean) => {
        close()
        resolve(isDone)
      }
      return <Ask question={question} act={act} onClose={settle} />
    }),
  )
}

type AskProps = { question: ConfirmedQuestion; act: () => Promise<unknown>; onClose: (isDone: boolean) => void }

function Ask({ question, act, onClose }: AskProps) {
  const isStale = useIsStale()
  const action = useAction(async () => {
    if (isStale) throw new BlockedError(staleText)
    await act().catch((error: unknown) => {
      throw error instanceof BlockedError ? error : new BlockedError(messageOf(error))
    })
    onClose(true)
  })
  return (
    <Confirm
      {...question}
      action={{ ...action, isRunning: action.isRunning || isStale }}
      onClose={() => action.isRunning || onClose(false)}
    />
  )
}
