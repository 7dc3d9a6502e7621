import { useAction } from '../platform/action.ts'
import { useTexts } from '../platform/texts.ts'
import { Button } from './controls.tsx'
import { notify, Problem } from './feedback.tsx'

/** Lets the browser download a file. */
export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // Safari reads the address only after the current task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

type ExportButtonsProps = {
  /** Name of the file, unless the answer has one. */
  name: string
  /** What is told once it is saved. */
  report: string
  load: (format: 'csv' | 'xlsx') => Promise<Response>
  class?: string
}

/** Buttons that download a list for spreadsheets. */
export function ExportButtons({ name, report, load, class: className = '' }: ExportButtonsProps) {
  const t = useTexts('common')
  const save = useAction(async (format: 'csv' | 'xlsx') => {
    const answer = await load(format)
    const givenName = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
    saveFile(givenName ?? `${name}.${format}`, await answer.blob())
    notify(report)
  })
  return (
    <>
      <div class="actions">
        <Button class={className} icon="download" isBusy={save.isRunning} onClick={() => void save.run('csv')}>
          {t.downloadCsv}
        </Button>
        <Button class={className} icon="download" isBusy={save.isRunning} onClick={() => void save.run('xlsx')}>
          {t.downloadXlsx}
        </Button>
      </div>
      <Problem error={save.error} />
    </>
  )
}
