/** What a browser makes of an answer that is data: no page, so nothing loads, runs, or stands in a frame. */
export const dataPolicy = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** Pages of ours use none of these, and hand them to nobody. */
export const noDevices = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
