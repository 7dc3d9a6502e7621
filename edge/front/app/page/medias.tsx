import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import type { Media } from '../../../../gen/client/news.ts'
import { fileAddress } from '../platform/addresses.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { FileLink } from './blocks.tsx'
import { srcSetOf } from './pictures.ts'

/** The pictures and films of a page. */
export function Gallery({ medias }: { medias: Media[] }) {
  const t = useTexts('page/medias')
  const [openedIndex, setOpenedIndex] = useState<number | undefined>(undefined)
  const pictures = mediasOf(medias, 'image')
  const count = pictures.length
  const showNext = useCallback(
    (by: number) => setOpenedIndex(index => (index === undefined ? undefined : (index + by + count) % count)),
    [count],
  )
  return (
    <>
      {count > 0 && (
        <ul class="gallery" data-count={Math.min(count, 4)}>
          {pictures.map((picture, index) => (
            <li key={index}>
              <button
                type="button"
                aria-label={fill(t.show, { at: index + 1, all: count })}
                onClick={() => setOpenedIndex(index)}
              >
                <img
                  src={index === 0 ? picture.address : (picture.thumbnail ?? picture.address)}
                  srcSet={srcSetOf(picture.thumbnail)}
                  sizes={index === 0 ? '(min-width: 46rem) 44rem, 100vw' : '(min-width: 46rem) 15rem, 33vw'}
                  alt=""
                />
              </button>
            </li>
          ))}
        </ul>
      )}
      {mediasOf(medias, 'video').map(({ address, thumbnail }) => (
        <video key={address} src={address} poster={thumbnail} controls preload="metadata" playsInline />
      ))}
      {openedIndex !== undefined && (
        <LargePicture pictures={pictures} index={openedIndex} turn={showNext} close={() => setOpenedIndex(undefined)} />
      )}
    </>
  )
}

type LargeProps = { pictures: ShownMedia[]; index: number; turn: (by: number) => void; close: () => void }

function LargePicture({ pictures, index, turn, close }: LargeProps) {
  const t = useTexts('page/medias')
  const count = pictures.length
  // The keys work as soon as the picture is shown.
  useLayoutEffect(() => {
    const onKeyDown = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight') turn(1)
      if (key === 'ArrowLeft') turn(-1)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [turn])
  return (
    <Dialog title={fill(t.picture, { at: index + 1, all: count })} onClose={close}>
      <div class="large-picture">
        <img src={pictures[index]?.address} alt={fill(t.picture, { at: index + 1, all: count })} />
        {count > 1 && (
          <p>
            <IconButton name={t.previous} icon="back" onClick={() => turn(-1)} />
            <IconButton name={t.next} icon="next" onClick={() => turn(1)} />
          </p>
        )}
      </div>
    </Dialog>
  )
}

/** The files of a page that are neither picture nor film. */
export function Attachments({ medias }: { medias: Media[] }) {
  return (
    <>
      {mediasOf(medias, 'file').map(({ address }) => (
        <FileLink key={address} address={address} />
      ))}
    </>
  )
}

type ShownMedia = { address: string; thumbnail: string | undefined }

const extensions = {
  image: /\.(jpe?g|png|gif|webp|avif|svg)$/i,
  video: /\.(mp4|webm|mov|m4v|ogv)$/i,
}

/** What a page's file is: by its type, or by its name when the type says nothing. */
function kindOf({ type, fileUrl }: Media): 'image' | 'video' | 'file' {
  if (/^(image|picture|photo)/i.test(type)) return 'image'
  if (/^video/i.test(type)) return 'video'
  const address = fileAddress(fileUrl)
  const path = address ? new URL(address).pathname : ''
  if (extensions.image.test(path)) return 'image'
  return extensions.video.test(path) ? 'video' : 'file'
}

/** The files of one kind that have an address on the web, in order. */
const mediasOf = (medias: Media[], kind: 'image' | 'video' | 'file'): ShownMedia[] =>
  medias
    .filter(media => kindOf(media) === kind)
    .flatMap(({ fileUrl, thumbnailUrl }) => {
      const address = fileAddress(fileUrl)
      return address ? [{ address, thumbnail: fileAddress(thumbnailUrl) }] : []
    })

/** The picture of a page in lists. */
export function pictureOf(medias: Media[]): string | undefined {
  const [picture] = mediasOf(medias, 'image')
  const [film] = mediasOf(medias, 'video')
  return picture ? (picture.thumbnail ?? picture.address) : film?.thumbnail
}
