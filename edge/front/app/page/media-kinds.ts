import type { Media } from '../../../../gen/client/news.ts'
import { fileAddress } from '../platform/addresses.ts'

export type ShownMedia = { address: string; thumbnail: string | undefined }

const extensions = {
  image: /\.(jpe?g|png|gif|webp|avif|svg)$/i,
  video: /\.(mp4|webm|mov|m4v|ogv)$/i,
}

/** What a page's file is: by its type, or by its name when the type says nothing. */
export function kindOf({ type, fileUrl }: Media): 'image' | 'video' | 'file' {
  if (/^(image|picture|photo)/i.test(type)) return 'image'
  if (/^video/i.test(type)) return 'video'
  const address = fileAddress(fileUrl)
  const path = address ? new URL(address).pathname : ''
  if (extensions.image.test(path)) return 'image'
  return extensions.video.test(path) ? 'video' : 'file'
}

/** The files of one kind that have an address on the web, in order. */
export const mediasOf = (medias: Media[], kind: 'image' | 'video' | 'file'): ShownMedia[] =>
  medias
    .filter(media => kindOf(media) === kind)
    .flatMap(({ fileUrl, thumbnailUrl }) => {
      const address = fileAddress(fileUrl)
      return address ? [{ address, thumbnail: fileAddress(thumbnailUrl) }] : []
    })

/** The three widths of a picture that the platform stores, for `srcset`; undefined for other addresses. */
export function srcSetOf(thumbnail: string | undefined): string | undefined {
  const [address, variant] = thumbnail?.split('?') ?? []
  if (variant !== 'variant=thumbnail') return undefined
  return `${address}?variant=small 160w, ${address}?variant=medium 480w, ${address}?variant=large 1280w`
}

/** The picture of a page in lists. */
export function pictureOf(medias: Media[]): string | undefined {
  const [picture] = mediasOf(medias, 'image')
  const [film] = mediasOf(medias, 'video')
  return picture ? (picture.thumbnail ?? picture.address) : film?.thumbnail
}
