import { useCallback, useLayoutEffect, useState } from 'preact/hooks'
import type { Media } from '../../../../gen/client/news.ts'
import { texts, useTexts } from '../platform/texts.ts'
import { IconButton } from '../ui/controls.tsx'
import { Dialog } from '../ui/dialogs.tsx'
import { FileLink } from './block-files.tsx'
import { mediasOf, type Shown } from './media-kinds.ts'

const words = texts({
  en: {
    show: (at: number, all: number) => `Show picture ${at} of ${all}`,
    picture: (at: number, all: number) => `Picture ${at} of ${all}`,
    previous: 'Previous picture',
    next: 'Next picture',
  },
  fr: {
    show: (at: number, all: number) => `Afficher la photo ${at} sur ${all}`,
    picture: (at: number, all: number) => `Photo ${at} sur ${all}`,
    previous: 'Photo précédente',
    next: 'Photo suivante',
  },
})

/** The pictures and films of a page. */
export function Gallery({ medias }: { medias: Media[] }) {
  const t = useTexts(words)
  const [opened, setOpened] = useState<number | undefined>(undefined)
  const pictures = mediasOf(medias, 'image')
  const count = pictures.length
  const turn = useCallback(
    (by: number) => setOpened(at => (at === undefined ? undefined : (at + by + count) % count)),
    [count],
  )
  return (
    <>
      {count > 0 && (
        <ul class="gallery" data-count={Math.min(count, 4)}>
          {pictures.map((picture, at) => (
            <li key={at}>
              <button type="button" aria-label={t.show(at + 1, count)} onClick={() => setOpened(at)}>
                <img src={at === 0 ? picture.address : (picture.thumbnail ?? picture.address)} alt="" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {mediasOf(medias, 'video').map(({ address, thumbnail }) => (
        <video key={address} class="film" src={address} poster={thumbnail} controls preload="metadata" playsInline />
      ))}
      {opened !== undefined && <Large pictures={pictures} at={opened} turn={turn} close={() => setOpened(undefined)} />}
    </>
  )
}

type LargeProps = { pictures: Shown[]; at: number; turn: (by: number) => void; close: () => void }

function Large({ pictures, at, turn, close }: LargeProps) {
  const t = useTexts(words)
  const count = pictures.length
  // The keys work as soon as the picture is shown.
  useLayoutEffect(() => {
    const press = ({ key }: KeyboardEvent) => {
      if (key === 'ArrowRight') turn(1)
      if (key === 'ArrowLeft') turn(-1)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [turn])
  return (
    <Dialog title={t.picture(at + 1, count)} onClose={close}>
      <div class="large-picture">
        <img src={pictures[at]?.address} alt={t.picture(at + 1, count)} />
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
