import sharp, { type Metadata, type Sharp } from 'sharp'
import { maxPixelsOf } from './limits.ts'

/*
 * The process that decodes pictures, one at a time. decoding.ts starts it, and kills it when a picture takes too long.
 * It kills itself when it needs too much memory, since decoders allocate outside the heap that Node limits.
 */

/** A picture to make of the one in the file `source`, and to write to the file `target`. */
export type Job = { source: string; target: string; maxPixels: number } & (
  | { make: 'thumbnail'; edge: number }
  /** The same picture, upright. */
  | { make: 'upright' }
)
/** `refused`: too many pixels for the format, or an animation, which can't be made upright. `failed`: not decodable. */
export type DecodingResult = { width: number; height: number; size: number } | 'refused' | 'failed'

const loaders = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(name => `VipsForeignLoad${name}`)
const maxMemoryBytes = Number(process.argv[2])
const memoryCheckMs = 5

sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })
sharp.concurrency(1)
sharp.cache(false)

async function run(job: Job): Promise<DecodingResult> {
  const metadata = await sharp(job.source, { limitInputPixels: false }).metadata()
  const { format, isProgressive, width, height, pages = 1 } = metadata
  const isUpright = job.make === 'upright'
  const limit = Math.min(job.maxPixels, maxPixelsOf(format, { isProgressive, isUpright }))
  if (width * height > limit || (isUpright && pages > 1)) return 'refused'
  // `failOn` refuses damaged pictures, instead of showing half of them.
  const picture = sharp(job.source, {
    limitInputPixels: limit,
    failOn: 'error',
    pages: 1,
    sequentialRead: true,
  }).autoOrient()
  const info = await (isUpright
    ? encodeUpright(picture, metadata)
    : picture
        .resize({ width: job.edge, height: job.edge, fit: 'inside', withoutEnlargement: true })
        .webp({ quality: 80 })
  ).toFile(job.target)
  return { width: info.width, height: info.height, size: info.size }
}

/** The same format, colours and, as far as the eye can tell, quality. */
function encodeUpright(picture: Sharp, { format, chromaSubsampling, isProgressive }: Metadata): Sharp {
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
async function runJob(job: Job): Promise<void> {
  const memoryCheck = setInterval(() => {
    if (process.memoryUsage.rss() > maxMemoryBytes) process.kill(process.pid, 'SIGKILL')
  }, memoryCheckMs)
  const result = await run(job).catch((): DecodingResult => 'failed')
  clearInterval(memoryCheck)
  process.send?.(result)
}

process.on('message', (job: Job) => void runJob(job))
