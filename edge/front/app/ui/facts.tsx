import { type ComponentChildren, Fragment } from 'preact'
import { numberOf } from '../platform/texts.ts'
import { Icon, type IconName } from './icon.tsx'

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
    {text
      .split(/(?<=[@_])|(?<=\w)(?=[.@]\w)/)
      .flatMap((part, index) => (index > 0 ? [<wbr key={index} />, part] : part))}
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

type BarsProps = {
  label: string
  bars: { key: string; name: string; value: number }[]
  /** Value of the whole length; the largest one by default. */
  max?: number
}

/** Bars of different lengths, each with its name and number: a chart that is a list. */
export function Bars({ label, bars, max = Math.max(1, ...bars.map(({ value }) => value)) }: BarsProps) {
  return (
    <ul class="bars stack tight" aria-label={label}>
      {bars.map(({ key, name, value }) => (
        <li key={key}>
          <span>
            <bdi>{name}</bdi>
          </span>
          <span class="bar-track" aria-hidden="true">
            <span style={{ width: `${(100 * value) / max}%` }} />
          </span>
          <span class="bar-value">{numberOf(value)}</span>
        </li>
      ))}
    </ul>
  )
}

/** A tag with an icon; `must` for what is still to be done. */
export const Tag = ({ icon, text, kind = '' }: { icon: IconName; text: string; kind?: 'must' | '' }) => (
  <span class={`tag ${kind}`}>
    <Icon name={icon} size={14} />
    {text}
  </span>
)
