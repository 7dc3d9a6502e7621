import type { ComponentChildren } from 'preact'
import { Button } from './controls.tsx'
import { FileButton } from './file-button.tsx'
import { UploadList, useUploads } from './uploads.tsx'

type Props = {
  folder: 'logos' | 'profiles'
  texts: { choose: string; remove: string; hint: string }
  mayRemove: boolean
  onPicture: (address: string | null) => void
  /** The present picture. */
  children: ComponentChildren
}

/** A picture that is replaced by an upload, or removed. */
export function PictureRow({ folder, texts, mayRemove, onPicture, children }: Props) {
  const uploads = useUploads(folder)
  return (
    <div class="picture-row">
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
