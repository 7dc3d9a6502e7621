/**
 * Most pixels of a picture that is decoded, by sharp's name of its format. Decoders need, in bytes per pixel: AVIF 19,
 * interlaced PNG and GIF 6, progressive JPEG 3, others a few rows at a time. The limit of memory ends a picture that
 * needs more. `npm run bench -- pictures` measures it.
 */
const maxPixels: Record<string, number> = { jpeg: 100e6, png: 100e6, webp: 100e6, gif: 18e6, heif: 6e6 }
/** The same for pictures whose rows come in several passes. */
const maxPixelsInPasses: Record<string, number> = { jpeg: 36e6, png: 20e6 }
/** Most pixels of a picture that is made upright, which needs 9 bytes per pixel. */
const maxPixelsUpright = 13e6
/** Larger files are not decoded. */
const maxSourceBytes = 50_000_000

/** Types that are decoded. Not SVG, which can run scripts, nor HEIC, whose decoder isn't free. */
const formats: Record<string, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/apng': 'png',
  'image/gif': 'gif',
  'image/webp': 'webp',
  'image/avif': 'heif',
}

export const maxPixelsOf = (format: string, { isProgressive = false, isUpright = false } = {}): number =>
  Math.min(
    (isProgressive && maxPixelsInPasses[format]) || (maxPixels[format] ?? 0),
    isUpright ? maxPixelsUpright : Number.POSITIVE_INFINITY,
  )

/** Whether a picture may be decoded, judged by its beginning. */
export function canBeDecoded(
  file: { content_type: string; size: number; width?: number | null; height?: number | null },
  { isUpright = false } = {},
): boolean {
  const { content_type, size, width, height } = file
  if (!width || !height || size > maxSourceBytes) return false
  return width * height <= maxPixelsOf(formats[content_type] ?? '', { isUpright })
}
