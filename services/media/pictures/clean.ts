import type { FileHandle } from 'node:fs/promises'
import { cleanHeif } from './heif.ts'
import { cleanJpeg } from './jpeg.ts'
import { type PictureSource, type SizedPicture, sourceOf } from './parts.ts'
import { cleanPng } from './png.ts'
import { cleanTiff } from './tiff.ts'
import { cleanWebp } from './webp.ts'

type Clean = (source: PictureSource) => Promise<SizedPicture>

/** Formats of cameras and of programs that carry place, device or thumbnails over. */
const cleaners: Record<string, Clean> = {
  'image/jpeg': cleanJpeg,
  'image/png': cleanPng,
  'image/apng': cleanPng,
  'image/webp': cleanWebp,
  'image/avif': cleanHeif,
  'image/heic': cleanHeif,
  'image/heif': cleanHeif,
  'image/heic-sequence': cleanHeif,
  'image/heif-sequence': cleanHeif,
  'image/tiff': cleanTiff,
}

export const isCleanable = (contentType: string): boolean => contentType in cleaners

/** A picture without place, device, texts and thumbnails, byte for byte otherwise. Decodes no pixel. */
export function cleanPicture(contentType: string, handle: FileHandle, size: number) {
  const cleanType = cleaners[contentType]
  if (!cleanType) throw new Error(`${contentType} can't be cleaned`)
  return cleanType(sourceOf(handle, size))
}
