import { toBuffer } from 'qrcode'
import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Outside } from '../context.ts'
import { writeHotel } from '../hotels.sql.ts'
import type { Step } from '../sagas/saga.ts'

const what = 'The media service'
const folder = 'qr-codes'
const chunkBytes = 64 * 1024

/** What the QR code of a hotel says: JSON with its id, its name and its address on the web. */
const qrContent = (id: string, name: string, url: string): string => JSON.stringify({ id, name, url })

/** More than this makes the squares of the image too small for a telephone, and soon too many for any QR code. */
const readableBytes = 1_000

/** The code of a hotel with its own address on the web, or with its page on the platform when that is too long or missing. */
function contentOf(id: string, name: string, website: string | null | undefined, page: string): string {
  const own = qrContent(id, name, website ?? page)
  return Buffer.byteLength(own) > readableBytes ? qrContent(id, name, page) : own
}

/** Draws the QR code of the hotel as a PNG image, stores it with the media service and keeps its address. */
export const qrCodeStep = ({ ask, media, frontUrl }: Outside): Step => ({
  name: 'qr-code',
  async perform(run) {
    const { hotelId, input } = run
    // An earlier try may have stored an image whose address was lost.
    if (run.attempt > 1) await ask(what, options => media.purgeMedia({ ecosystemId: hotelId, folder }, options))
    const content = contentOf(hotelId, input.name, input.hotel?.website, frontLink(frontUrl, `/hotels/${hotelId}`))
    const image = await toBuffer(content, { type: 'png', width: 512, margin: 2 })
    async function* parts() {
      const fileName = `${hotelId}.png`
      const head = { folder, ecosystemId: hotelId, fileName, contentType: 'image/png', size: image.length }
      yield { part: { case: 'head' as const, value: head } }
      for (let at = 0; at < image.length; at += chunkBytes)
        yield { part: { case: 'chunk' as const, value: image.subarray(at, at + chunkBytes) } }
    }
    const { file } = await ask(what, options => media.uploadMedia(parts(), options))
    if (!file) throw new ExternalServiceError(`${what} failed`)
    return { qrLink: file.fileUrl }
  },
  record: (trx, run) => writeHotel(trx, run.hotelId, { qr_link: run.state.qrLink ?? null }),
  async undo(run) {
    await ask(what, options => media.purgeMedia({ ecosystemId: run.hotelId, folder: '' }, options))
  },
})
