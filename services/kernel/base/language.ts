/** The languages of the platform's texts. */
export type Language = 'fr' | 'en'

/**
 * The preferred language of an Accept-Language header: `en-GB,en;q=0.9,fr;q=0.8` is `en`. Undefined without a header,
 * and when it names neither.
 */
export function preferredLanguage(header: string | null): Language | undefined {
  const ranges = (header ?? '')
    .slice(0, 500)
    .split(',')
    .flatMap(range => {
      const { language, q = '1' } =
        /^\s*(?<language>fr|en)(?:-[\w-]+)?\s*(?:;\s*q\s*=\s*(?<q>[\d.]+)\s*)?$/i.exec(range)?.groups ?? {}
      return language ? [{ language: language.toLowerCase() as Language, weight: Number(q) }] : []
    })
    .filter(({ weight }) => weight > 0)
  return ranges.toSorted((a, b) => b.weight - a.weight)[0]?.language
}
