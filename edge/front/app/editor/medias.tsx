import { useRef } from 'preact/hooks'
import type { MediaFile } from '../../../../gen/client/media.ts'
import type { Media } from '../../../../gen/client/news.ts'
import { fileAddress } from '../platform/addresses.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, IconButton } from '../ui/controls.tsx'
import { FileChooser } from '../ui/file-button.tsx'
import { Icon } from '../ui/icon.tsx'
import { UploadList, useUploads } from '../ui/uploads.tsx'

/** The platform's limit for a page. */
const most = 50

const mediaOf = ({ fileUrl, thumbnailUrl, contentType }: MediaFile): Media => ({
  fileUrl,
  thumbnailUrl,
  type: /^(image|video|audio)\//.exec(contentType)?.[1] ?? 'file',
})

type MediasProps = { value: Media[]; change: (next: (medias: Media[]) => Media[]) => void }

/** Pictures and files that belong to the page as a whole. */
export function Medias({ value, change }: MediasProps) {
  const t = useTexts('editor/medias')
  const chooser = useRef<HTMLInputElement>(null)
  const uploads = useUploads('pages')
  const add = (files: File[]) =>
    uploads.add(files.slice(0, most - value.length), file => change(medias => [...medias, mediaOf(file)]))
  const swap = (at: number) =>
    change(medias => {
      const [one, other] = [medias[at - 1], medias[at]]
      return one && other ? medias.with(at - 1, other).with(at, one) : medias
    })
  return (
    <fieldset
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        add([...(event.dataTransfer?.files ?? [])])
      }}
    >
      <legend>{t.title}</legend>
      <ul class="media-list">
        {value.map((media, at) => {
          const isPicture = media.type.startsWith('image')
          const name = isPicture ? fill(t.picture, { number: at + 1 }) : fill(t.file, { number: at + 1 })
          return (
            <li key={media.fileUrl}>
              {isPicture ? (
                <img src={fileAddress(media.thumbnailUrl) ?? fileAddress(media.fileUrl)} alt={name} />
              ) : (
                <Icon name="file" size={32} />
              )}
              <span class="media-tools">
                {at > 0 && <IconButton name={fill(t.forward, { name })} icon="back" onClick={() => swap(at)} />}
                <IconButton
                  name={fill(t.remove, { name })}
                  icon="close"
                  onClick={() => change(medias => medias.filter(one => one !== media))}
                />
              </span>
            </li>
          )
        })}
      </ul>
      <UploadList uploads={uploads} />
      {value.length < most && (
        <Button class="small" icon="upload" onClick={() => chooser.current?.click()}>
          {t.add}
        </Button>
      )}
      <p class="hint">{t.hint}</p>
      <FileChooser element={chooser} name={t.add} onFiles={add} />
    </fieldset>
  )
}
