import { numberOf } from '../platform/texts.ts'

/** Single figures beside each other. */
export function Tiles({
  label,
  tiles,
}: {
  label: string
  tiles: { name: string; value: number | string; hint?: string }[]
}) {
  return (
    <dl class="tiles" aria-label={label}>
      {tiles.map(({ name, value, hint }) => (
        <div key={name} class="tile">
          <dt>{name}</dt>
          <dd>
            {typeof value === 'number' ? numberOf(value) : value}
            {hint && <span class="hint">{hint}</span>}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Bars of different lengths, each with its name and number: a chart that is a list. */
export function Bars({ label, bars }: { label: string; bars: { key: string; name: string; value: number }[] }) {
  const largest = Math.max(1, ...bars.map(({ value }) => value))
  return (
    <ul class="bars" aria-label={label}>
      {bars.map(({ key, name, value }) => (
        <li key={key}>
          <span>
            <bdi>{name}</bdi>
          </span>
          <span class="bar-track" aria-hidden="true">
            <span style={{ width: `${(100 * value) / largest}%` }} />
          </span>
          <span class="bar-value">{numberOf(value)}</span>
        </li>
      ))}
    </ul>
  )
}
