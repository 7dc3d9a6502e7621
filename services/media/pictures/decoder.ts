import sharp, { type Metadata, type Sharp } from 'sharp'
import { maxPixelsOf } from './limits.ts'

/*
 * The process that decodes pictures, one at a time. Started by decoding.ts, which kills it after a time; it kills itself
 * at once when it needs too much memory, since decoders allocate outside the heap that Node limits.
 */

/** What to make of the picture in the file `source`; written to the file `target`. */
export type Job = { source: string; target: string; maxPixels: number } & (
  | { make: 'thumbnail'; edge: number }
  /** The same picture, upright. */
  | { make: 'upright' }
)
/** `refused` has too many pixels for its format, or is an animation to turn; `failed` can't be decoded. */
export type DecodingResult = { width: number; height: number; size: number } | 'refused' | 'failed'

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(name => `VipsForeignLoad${name}`)
const maxMemory = Number(process.argv[2])
const memoryCheckMs = 5

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })
sharp.concurrency(1)
sharp.cache(false)

async function run(job: Job): Promise<DecodingResult> {
  const metadata = await sharp(job.source, { limitInputPixels: false }).metadata()
  const { format, isProgressive, width, height, pages = 1 } = metadata
  const isTurned = job.make === 'upright'
  const limit = Math.min(job.maxPixels, maxPixelsOf(format, { isProgressive, isTurned }))
  if (width * height > limit || (isTurned && pages > 1)) return 'refused'
  // `failOn` refuses damaged pictures, instead of showing half of them.
  const picture = sharp(job.source, {
    limitInputPixels: limit,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  }).autoOrient()
  const info = await (isTurned
    ? toUpright(picture, metadata)
    : picture
        .resize({ width: job.edge, height: job.edge, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
  ).toFile(job.target)
  return { width: info.width, height: info.height, size: info.size }
}

/** The same format, colours and, as far as the eye can tell, quality. */
function toUpright(picture: Sharp, { format, chromaSubsampling, isProgressive }: Metadata): Sharp {
  const withProfile = picture.keepIccProfile()
  if (format === 'jpeg')
    return withProfile.jpeg({
      quality: 93,
      chromaSubsampling: chromaSubsampling ?? '4:2:0',
      progressive: isProgressive,
    })
  return format === 'webp' ? withProfile.webp({ quality: 93 }) : withProfile.png()
}

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
async function answer(job: Job): Promise<void> {
  const memoryCheck = setInterval(() => {
    if (process.memoryUsage.rss() > maxMemory) process.kill(process.pid, 'SIGKILL')
  }, memoryCheckMs)
  const result = await run(job).catch((): DecodingResult => 'failed')
  clearInterval(memoryCheck)
  process.send?.(result)
}

process.on('message', (job: Job) => void answer(job))
