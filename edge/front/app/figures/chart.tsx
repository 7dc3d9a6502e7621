import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { numberOf } from '../platform/texts.ts'

export type Bar = { text: string; value: number }

type ChartProps = {
  title: string
  bars: Bar[]
  /** Column headings of the table. */
  heads: [string, string]
  showTable: string
}

const height = 200
const margin = { top: 12, right: 8, bottom: 26, left: 40 }

/** Values by day as bars, with a table of the same values for screen readers. */
export function Chart({ title, bars, heads, showTable }: ChartProps) {
  const figure = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(640)
  useLayoutEffect(() => {
    // Drawn at its width, so that its texts have the size of the others.
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.max(200, entry.contentRect.width)))
    if (figure.current) observer.observe(figure.current)
    return () => observer.disconnect()
  }, [])
  const ticks = ticksTo(Math.max(1, ...bars.map(({ value }) => value)))
  const maxTick = ticks.at(-1) ?? 1
  const base = height - margin.bottom
  const barWidth = (width - margin.left - margin.right) / Math.max(1, bars.length)
  const y = (value: number) => base - (value / maxTick) * (base - margin.top)
  const labelInterval = Math.max(1, Math.ceil(bars.length / (width / 90)))
  return (
    <figure class="chart" ref={figure}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} height={height} aria-hidden="true">
        {ticks.map(value => (
          <g key={value}>
            <line class="grid" x1={margin.left} x2={width - margin.right} y1={y(value)} y2={y(value)} />
            <text x={margin.left - 8} y={y(value) + 4} text-anchor="end">
              {numberOf(value)}
            </text>
          </g>
        ))}
        {bars.map(({ text, value }, index) => {
          const x = margin.left + index * barWidth
          return (
            <g key={text}>
              {value > 0 && (
                <rect x={x + barWidth * 0.15} y={y(value)} width={barWidth * 0.7} height={base - y(value)} rx={2}>
                  <title>{`${text}: ${numberOf(value)}`}</title>
                </rect>
              )}
              {index % labelInterval === 0 && (
                <text x={x + barWidth / 2} y={base + 18} text-anchor="middle">
                  {text}
                </text>
              )}
            </g>
          )
        })}
      </svg>
      <details>
        <summary>{showTable}</summary>
        <div class="chart-table">
          <table>
            <caption class="unseen">{title}</caption>
            <thead>
              <tr>
                <th scope="col">{heads[0]}</th>
                <th scope="col">{heads[1]}</th>
              </tr>
            </thead>
            <tbody>
              {bars.map(({ text, value }) => (
                <tr key={text}>
                  <th scope="row">{text}</th>
                  <td>{numberOf(value)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

/** Up to five round values from 0 to at least the largest one. */
function ticksTo(largest: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, largest / 4)))
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one * 4 >= largest) ?? 1
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) + 1 }, (_, index) => index * step)
}
