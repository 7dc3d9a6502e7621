import { fileAddress, pictureAddress } from '../platform/addresses.ts'
import { addressIn, type BlockData, isRecord } from './block-data.ts'

/** The sizes of a picture that the platform stores, with the square that each fits into. */
const edges = { small: 160, medium: 480, large: 1280 }

type PictureSize = { width: number; height: number }

/**
 * The three widths of a picture that the platform stores, for `srcset`; undefined for other addresses.
 * @param size of the picture; a square unless it is known
 */
export function srcSetOf(thumbnail: string | undefined, { width, height } = { width: 1_280, height: 1_280 }) {
  const [address, variant] = thumbnail?.split('?') ?? []
  if (variant !== 'variant=thumbnail') return undefined
  const widthWithin = (edge: number) => Math.round(width * Math.min(1, edge / Math.max(width, height)))
  return Object.entries(edges)
    .map(([name, edge]) => `${address}?variant=${name} ${widthWithin(edge)}w`)
    .join(', ')
}

const maxHeight = 640

/** The attributes of a picture in a text: its address, its widths, and its size, which keeps its room while it loads. */
export function pictureAttributes(data: BlockData) {
  const file = isRecord(data['file']) ? data['file'] : {}
  const src = pictureAddress(addressIn(data))
  const size = sizeOf(file)
  if (!size) return { src }
  const shownHeight = Math.min(size.height, maxHeight)
  const shownWidth = Math.round((size.width * shownHeight) / size.height)
  return {
    src,
    srcset: srcSetOf(fileAddress(file['thumbnailUrl']), size),
    sizes: data['stretched'] === true ? 'min(44rem, 100vw)' : `min(${shownWidth}px, 44rem, 100vw)`,
    width: shownWidth,
    height: shownHeight,
  }
}

/** The size of a block's file, where it was stored with one. */
function sizeOf({ width, height }: BlockData): PictureSize | undefined {
  const isSize = (value: unknown): value is number => Number.isInteger(value) && Number(value) > 0
  return isSize(width) && isSize(height) ? { width, height } : undefined
}
