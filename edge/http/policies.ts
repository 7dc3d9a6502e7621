/** Headers of an answer that is data, not a page: nothing loads, runs, or appears in a frame. */
export const dataPolicy = {
  'default-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
}

/** The platform's pages use none of these, and grant them to no other page. */
export const noDevices = 'camera=(), geolocation=(), microphone=(), payment=(), usb=()'
