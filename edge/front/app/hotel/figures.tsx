import { numberOf } from '../platform/texts.ts'

/** Bars of different lengths, each with its name and number: a chart that is a list. */
export function Bars({ label, bars }: { label: string; bars: { key: string; name: string; value: number }[] }) {
  const maxValue = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ key, name, value }) => (
        <li key={key}>
          <span>
            <bdi>{name}</bdi>
          </span>
          <span class="bar-track" aria-hidden="true">
            <span style={{ width: `${(100 * value) / maxValue}%` }} />
          </span>
          <span class="bar-value">{numberOf(value)}</span>
        </li>
      ))}
    </ul>
  )
}
