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

/** A text with an address in it, which may be long: lines break at its signs, never within its words. */
export const Breakable = ({ text }: { text: string }) => (
  <>
    {text.split(/(?<=@)|(?<=\w)(?=[.@]\w)/).flatMap((part, index) => (index > 0 ? [<wbr key={index} />, part] : part))}
  </>
)

export const MailLink = ({ address }: { address: string }) => (
  <a href={`mailto:${address}`}>
    <Breakable text={address} />
  </a>
)

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
