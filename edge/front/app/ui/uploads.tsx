import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { MediaFile } from '../../../../gen/client/media.ts'
import { PlatformError } from '../../../client/client.ts'
import { platform, session } from '../platform/session.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { uploadFile } from '../platform/upload.ts'
import { Button, FileButton, IconButton } from './controls.tsx'
import { useProblemText } from './feedback.tsx'

type RunningUpload = { id: number; name: string; share: number; abort: AbortController; problem?: string }

export type Uploads = {
  running: RunningUpload[]
  /** Stores files one after another; `onStored` is called with each, `onRefused` for each that isn't stored. */
  add: (files: File[], onStored: (file: MediaFile) => void, allowedKind?: 'pictures', onRefused?: () => void) => void
  dismiss: (id: number) => void
}

let lastId = 0

/** Files that are being stored, with what was refused. Those that run end with the screen. */
export function useUploads(folder: string): Uploads {
  const t = useTexts('ui/uploads')
  const problemText = useProblemText()
  const [runningUploads, setRunning] = useState<RunningUpload[]>([])
  const aborts = useRef(new Set<AbortController>())
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
      for (const abort of aborts.current) abort.abort()
    },
    [],
  )
  const change = (id: number, next: Partial<RunningUpload>) =>
    setRunning(list => list.map(one => (one.id === id ? { ...one, ...next } : one)))
  const dismiss = (id: number) => {
    runningUploads.find(one => one.id === id)?.abort.abort()
    setRunning(list => list.filter(one => one.id !== id))
  }

  const textOf = (error: unknown): string => {
    const rule = error instanceof PlatformError ? error.violations[0]?.rule : undefined
    if (rule === 'pixels') return t.tooManyPixels
    return problemText(error, { 413: t.tooLarge })
  }

  /** @returns the stored file; undefined when it is refused */
  const store = async (file: File, allowedKind?: 'pictures'): Promise<MediaFile | undefined> => {
    const now = session.get()
    const id = ++lastId
    const abort = new AbortController()
    const refusal =
      allowedKind && file.type && !file.type.startsWith('image/') ? t.notPicture : file.size === 0 ? t.empty : undefined
    const line: RunningUpload = { id, name: file.name, share: 0, abort, ...(refusal ? { problem: refusal } : {}) }
    setRunning(list => [...list, line])
    if (refusal || now.kind !== 'in' || !now.workspace) return undefined
    aborts.current.add(abort)
    try {
      const { ecosystemId } = now.workspace
      const onProgress = (share: number) => change(id, { share })
      const media = await uploadFile(file, { ecosystemId, folder, signal: abort.signal, onProgress })
      // The platform detects the type from the bytes, not from the name.
      if (allowedKind && !media.contentType.startsWith('image/')) {
        await platform.media.deleteMedia({ id: media.id }).catch(() => undefined)
        change(id, { problem: t.notPicture })
        return undefined
      }
      setRunning(list => list.filter(one => one.id !== id))
      return media
    } catch (error) {
      if (!abort.signal.aborted) change(id, { problem: textOf(error) })
      return undefined
    } finally {
      aborts.current.delete(abort)
    }
  }

  return {
    running: runningUploads,
    dismiss,
    add(files, onStored, allowedKind, onRefused) {
      void (async () => {
        for (const file of files) {
          if (isGone.current) return
          const media = await store(file, allowedKind)
          if (isGone.current) return
          if (media) onStored(media)
          else onRefused?.()
        }
      })()
    },
  }
}

/** Progress and refusals of uploads. */
export function UploadList({ uploads: { running, dismiss } }: { uploads: Uploads }) {
  const t = useTexts('ui/uploads')
  return (
    <ul class="uploads stack tight" aria-label={t.uploads} aria-live="polite">
      {running.map(({ id, name, share, problem }) => (
        <li key={id} class={problem ? 'box refused' : 'box'}>
          <span dir="auto">{name}</span>
          {problem ? (
            <span class="fault">{problem}</span>
          ) : (
            <progress aria-label={fill(t.progress, { name })} value={share} max={1} />
          )}
          <IconButton
            name={problem ? fill(t.dismiss, { name }) : fill(t.cancel, { name })}
            icon="close"
            onClick={() => dismiss(id)}
          />
        </li>
      ))}
    </ul>
  )
}

type PictureRowProps = {
  folder: 'logos' | 'profiles'
  texts: { choose: string; remove: string; hint: string }
  mayRemove: boolean
  onPicture: (address: string | null) => void
  /** The present picture. */
  children: ComponentChildren
}

/** A picture that is replaced by an upload, or removed. */
export function PictureRow({ folder, texts, mayRemove, onPicture, children }: PictureRowProps) {
  const uploads = useUploads(folder)
  return (
    <div class="picture-row row wrap loose">
      {children}
      <div>
        <div class="actions">
          <FileButton
            text={texts.choose}
            accept="image/jpeg,image/png,image/webp"
            class="small"
            onFile={file => uploads.add([file], ({ fileUrl }) => onPicture(fileUrl), 'pictures')}
          />
          {mayRemove && (
            <Button variant="quiet" class="small" onClick={() => onPicture(null)}>
              {texts.remove}
            </Button>
          )}
        </div>
        <p class="hint">{texts.hint}</p>
        <UploadList uploads={uploads} />
      </div>
    </div>
  )
}
