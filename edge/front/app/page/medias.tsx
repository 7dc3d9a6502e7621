import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import type { Media } from '../../../../gen/client/news.ts'
import { fill, useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { FileLink } from './block-files.tsx'
import { mediasOf, type ShownMedia, srcSetOf } from './media-kinds.ts'

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
