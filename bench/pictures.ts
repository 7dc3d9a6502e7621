import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import type { DecodingResult } from '../services/media/pictures/decoder.ts'
import { startDecoding } from '../services/media/pictures/decoding.ts'

const plain = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: 'teal' } })

/** Pictures that need the most memory of their format, within the limits of pixels and beyond. */
const pictures: Record<string, () => Promise<Buffer>> = {
  'AVIF, 6 million pixels': () => plain(3_000, 2_000).avif({ effort: 0 }).toBuffer(),
  'AVIF, 100 million pixels': () => plain(10_000, 10_000).avif({ effort: 0 }).toBuffer(),
  'GIF, 18 million pixels': () => plain(4_500, 4_000).gif({ effort: 1 }).toBuffer(),
  'interlaced PNG, 20 million pixels': () => plain(5_000, 4_000).png({ progressive: true }).toBuffer(),
  'PNG, 100 million pixels': () => plain(10_000, 10_000).png().toBuffer(),
  'progressive JPEG, 32 million pixels': () => plain(8_000, 4_000).jpeg({ progressive: true }).toBuffer(),
  'progressive JPEG, 36 million pixels in four full planes': () =>
    plain(6_000, 6_000).toColourspace('cmyk').jpeg({ progressive: true, chromaSubsampling: '4:4:4' }).toBuffer(),
}

async function peakOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return (Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024) / 1e6
}

/** The most memory of the process that decodes pictures, over those that need the most. */
export async function benchPictures(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'))
  const rows: string[] = []
  for (const [name, make] of Object.entries(pictures)) {
    const source = join(folder, 'picture')
    await writeFile(source, await make())
    const decoding = startDecoding()
    const job = { make: 'thumbnail' as const, source, target: `${source}.webp`, edge: 1280, maxPixels: 100_000_000 }
    let result: DecodingResult | undefined
    const decoded = decoding.inTurn(async decode => (result = await decode(job)))
    let peak = 0
    while (result === undefined) {
      peak = Math.max(peak, await peakOf(decoding.pid() ?? 0))
      await setTimeout(1)
    }
    await decoded
    await decoding.stop()
    rows.push(`| ${name} | ${typeof result === 'object' ? 'decoded' : result} | ${peak.toFixed(0)} MB |`)
  }
  await rm(folder, { recursive: true })
  return `| picture | result | most memory (goal at most 256 MB) |\n|-|-|-|\n${rows.join('\n')}`
}
