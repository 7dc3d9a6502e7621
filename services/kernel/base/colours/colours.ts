/** The colour of hotels that chose none, and of what belongs to no single hotel. */
export const platformColour = '#1e40af'

/** A little darker and lighter than the grounds of the interface and the colour's own wash. */
const schemeGrounds = { light: '#e8e6e0', dark: '#2f363c' }

type Parts = [red: number, green: number, blue: number]

/** The parts of #RGB or #RRGGBB, 0 to 255. */
function partsOf(colour: string): Parts {
  const digits = colour.slice(1)
  const sixDigits = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(sixDigits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

const toColour = (parts: number[]): string =>
  `#${parts.map(part => Math.round(part).toString(16).padStart(2, '0')).join('')}`

/** Relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as Parts
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Contrast of two colours, 1 to 21 (WCAG 2). */
export function contrast(colour: string, otherColour: string): number {
  const [dark = 0, light = 0] = [luminance(colour), luminance(otherColour)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

/**
 * Black or white, whichever reads better on a colour: at least 4.5 to 1 on any. In three digits, because six would look
 * like a code to programs that search mails for one.
 */
export const inkOn = (colour: string): string =>
  contrast(colour, '#fff') >= contrast(colour, '#000') ? '#fff' : '#000'

/** Six digits, which all mail programs read. Falls back for anything that isn't a colour. */
export function sixDigits(colour: string, fallback: string): string {
  if (!/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(colour)) return fallback
  return toColour(partsOf(colour))
}

/** A mix of two colours; a share of 1 is the other one. */
export function mixColours(colour: string, otherColour: string, share: number): string {
  const otherParts = partsOf(otherColour)
  return toColour(partsOf(colour).map((part, index) => part + ((otherParts[index] ?? 0) - part) * share))
}

/** The colour itself where it reads on the ground, else the nearest tint or shade that does. */
export function readableOn(ground: string, colour: string, minContrast = 4.5): string {
  const ink = inkOn(ground)
  const steps = Array.from({ length: 65 }, (_, step) => mixColours(colour, ink, step / 64))
  return steps.find(mixed => contrast(mixed, ground) >= minContrast) ?? sixDigits(ink, ink)
}

/** A hotel's colour as text, buttons and marks have it, in light and dark. */
export function hotelAccents(colour: string): { light: string; dark: string } {
  const validColour = sixDigits(colour, platformColour)
  return {
    light: readableOn(schemeGrounds.light, validColour),
    dark: readableOn(schemeGrounds.dark, validColour),
  }
}
