import { type ComponentChildren, Fragment } from 'preact'
import { PlatformError } from '../../client/client.ts'
import { useAction } from '../../front/app/platform/action.ts'
import { createStore, useStore } from '../../front/app/platform/store.ts'
import { Confirm, Dialog } from '../../front/app/ui/dialogs.tsx'
import { BlockedError, notify } from '../../front/app/ui/feedback.tsx'
import { refresh, staleText, useIsStale } from './refresh.ts'
import { messageOf } from './session.ts'

const dialogs = createStore<{ id: number; content: ComponentChildren }[]>([])
let lastId = 0

export function openDialog(content: (close: () => void) => ComponentChildren): void {
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

export type ConfirmQuestion = {
  title: string
  /** The consequence. */
  text: string
  submit: string
  isDanger?: boolean
  /** What must be typed first. */
  phrase?: string
  /** What is told once it is done. */
  report?: string
}

/**
 * Runs an action once the operator confirms it in a dialog, which shows a refusal and stays open. While the page is out
 * of date, the action is refused. The page is loaded again in any case.
 * @returns whether the action was done
 */
export function confirmAction({ report, ...question }: ConfirmQuestion, act: () => Promise<unknown>): Promise<boolean> {
  return new Promise(resolve =>
    openDialog(close => {
      const settle = (isDone: boolean) => {
        close()
        if (isDone && report) notify(report)
        void refresh()
        resolve(isDone)
      }
      return <ConfirmDialog question={question} act={act} onClose={settle} />
    }),
  )
}

type ConfirmProps = { question: ConfirmQuestion; act: () => Promise<unknown>; onClose: (isDone: boolean) => void }

function ConfirmDialog({ question, act, onClose }: ConfirmProps) {
  const action = useDialogAction(act, () => onClose(true))
  return <Confirm {...question} action={action} onClose={() => action.isRunning || onClose(false)} />
}

/** An action of a dialog: off while the page is out of date. A refusal that names no field is told in its own words. */
export function useDialogAction(act: () => Promise<unknown>, onDone: () => void) {
  const isStale = useIsStale()
  const action = useAction(async () => {
    if (isStale) throw new BlockedError(staleText)
    await act().catch((error: unknown) => {
      const isTold = error instanceof BlockedError || (error instanceof PlatformError && error.violations.length > 0)
      throw isTold ? error : new BlockedError(messageOf(error))
    })
    onDone()
  })
  return { ...action, isRunning: action.isRunning || isStale }
}
