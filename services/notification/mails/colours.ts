/** The colour of mails of no single hotel. */
export const platformColour = '#1e40af'

/** The parts of #RGB or #RRGGBB, 0 to 255. */
function partsOf(colour: string): [number, number, number] {
  const digits = colour.slice(1)
  const sixDigits = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits
  const value = Number.parseInt(sixDigits, 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

/** Relative luminance (WCAG 2). */
function luminance(colour: string): number {
  const [red, green, blue] = partsOf(colour).map(part => {
    const share = part / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
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
  return `#${partsOf(colour)
    .map(part => part.toString(16).padStart(2, '0'))
    .join('')}`
}
