import { useRef } from 'preact/hooks'
import type { MediaFile } from '../../../../gen/client/media.ts'
import type { Media } from '../../../../gen/client/news.ts'
import { fileAddress } from '../platform/addresses.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { Button, FileChooser, IconButton } from '../ui/controls.tsx'
import { Icon } from '../ui/icon.tsx'
import { UploadList, useUploads } from '../ui/uploads.tsx'

/** The platform's limit for a page. */
const maxMedias = 50

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
    uploads.add(files.slice(0, maxMedias - value.length), file => change(medias => [...medias, mediaOf(file)]))
  const swapWithNext = (index: number) =>
    change(medias => {
      const [one, next] = [medias[index - 1], medias[index]]
      return one && next ? medias.with(index - 1, next).with(index, one) : medias
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
      <ul class="media-list stack tight">
        {value.map((media, index) => {
          const isPicture = media.type.startsWith('image')
          const name = isPicture ? fill(t.picture, { number: index + 1 }) : fill(t.file, { number: index + 1 })
          return (
            <li key={media.fileUrl}>
              {isPicture ? (
                <img src={fileAddress(media.thumbnailUrl) ?? fileAddress(media.fileUrl)} alt={name} />
              ) : (
                <Icon name="file" size={32} />
              )}
              <span class="media-tools">
                {index > 0 && (
                  <IconButton name={fill(t.forward, { name })} icon="back" onClick={() => swapWithNext(index)} />
                )}
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
      {value.length < maxMedias && (
        <Button class="small" icon="upload" onClick={() => chooser.current?.click()}>
          {t.add}
        </Button>
      )}
      <p class="hint">{t.hint}</p>
      <FileChooser element={chooser} name={t.add} onFiles={add} />
    </fieldset>
  )
}
