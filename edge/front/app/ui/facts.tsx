import { type ComponentChildren, Fragment } from 'preact'
import { numberOf } from '../platform/texts.ts'

/** Names with their values; a name without a value is left out. */
export function Facts({ facts }: { facts: [name: string, value: ComponentChildren][] }) {
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value && (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  )
}

export const MailLink = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>

export const PhoneLink = ({ number }: { number: string }) => (
  <a href={`tel:${number.replace(/[^+\d]/g, '')}`}>{number}</a>
)

type TilesProps = { label: string; tiles: { name: string; value: number | string; hint?: string }[] }

/** Single figures beside each other. */
export function Tiles({ label, tiles }: TilesProps) {
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
