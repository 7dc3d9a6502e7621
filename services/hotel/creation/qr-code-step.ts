import { ExternalServiceError } from '../../kernel/base/errors.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import { webAddress } from '../../kernel/base/text.ts'
import type { HotelDependencies } from '../context.ts'
import { writeHotel } from '../hotels.sql.ts'
import type { SagaStep } from '../sagas/saga.ts'

const mediaService = 'The media service'
const folder = 'qr-codes'
const chunkBytes = 64 * 1024

/** Content of a hotel's QR code: JSON with its id, name and web address. */
const qrContent = (id: string, name: string, url: string): string => JSON.stringify({ id, name, url })

/** With more content the squares become too small for a phone camera, and soon no QR code can hold it. */
const readableBytes = 1_000

/**
 * Content with the hotel's own web address, or with its page on the platform when the address is too long, missing or
 * relative.
 */
function contentOf(id: string, name: string, website: string | null | undefined, page: string): string {
  const fullContent = qrContent(id, name, (website && webAddress(website)) || page)
  return Buffer.byteLength(fullContent) > readableBytes ? qrContent(id, name, page) : fullContent
}

/** Draws the hotel's QR code as a PNG image, uploads it to the media service and stores its URL. */
export const qrCodeStep = ({ callService, media, frontUrl }: HotelDependencies): SagaStep => ({
  name: 'qr-code',
  async perform(run) {
    const { hotelId, input } = run
    // An earlier attempt may have uploaded an image whose URL was lost.
    if (run.attempt > 1)
      await callService(mediaService, options => media.purgeMedia({ ecosystemId: hotelId, folder }, options))
    const { toBuffer } = await import('qrcode')
    const content = contentOf(hotelId, input.name, input.hotel?.website, frontLink(frontUrl, `/hotels/${hotelId}`))
    const image = await toBuffer(content, { type: 'png', width: 512, margin: 2 })
    async function* parts() {
      const fileName = `${hotelId}.png`
      const head = { folder, ecosystemId: hotelId, fileName, contentType: 'image/png', size: image.length }
      yield { part: { case: 'head' as const, value: head } }
      for (let start = 0; start < image.length; start += chunkBytes)
        yield { part: { case: 'chunk' as const, value: image.subarray(start, start + chunkBytes) } }
    }
    const { file } = await callService(mediaService, options => media.uploadMedia(parts(), options))
    if (!file) throw new ExternalServiceError(`${mediaService} failed`)
    return { qrLink: file.fileUrl }
  },
  record: (trx, run) => writeHotel(trx, run.hotelId, { qr_link: run.state.qrLink ?? null }),
  async undo(run) {
    await callService(mediaService, options => media.purgeMedia({ ecosystemId: run.hotelId, folder: '' }, options))
  },
})
