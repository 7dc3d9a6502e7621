/** Device type and operating system, as far as the user agent shows. */
export function deviceOf(userAgent: string | null | undefined): { device: string | null; os: string | null } {
  if (!userAgent) return { device: null, os: null }
  const system = operatingSystems.find(([pattern]) => pattern.test(userAgent))
  return { os: system?.[1] ?? null, device: system?.[2] ?? (/Mobi/i.test(userAgent) ? 'phone' : null) }
}

/** Order matters: an iPad also contains Mac OS, Android also contains Linux. */
const operatingSystems: [RegExp, string, string][] = [
  [/iPad/i, 'iOS', 'tablet'],
  [/iPhone|iPod|CFNetwork|Darwin/i, 'iOS', 'phone'],
  [/Android(?!.*Mobi)/i, 'Android', 'tablet'],
  [/Android|okhttp/i, 'Android', 'phone'],
  [/CrOS/i, 'ChromeOS', 'computer'],
  [/Windows/i, 'Windows', 'computer'],
  [/Mac OS|Macintosh/i, 'macOS', 'computer'],
  [/Linux|X11/i, 'Linux', 'computer'],
]
