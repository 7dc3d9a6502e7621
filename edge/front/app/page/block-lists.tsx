import { type BlockData, isRecord, listOf, textOf } from './block-data.ts'
import { Inline } from './inline.tsx'

type Item = { html: string; isDone: boolean; items: Item[] }

/** Items as all versions of the list blocks write them: texts, `{text, checked}` or `{content, items, meta}`. */
function itemsOf(value: unknown, depth = 0): Item[] {
  if (depth > 12) return []
  return listOf(value).map(item => {
    if (!isRecord(item)) return { html: textOf(item), isDone: false, items: [] }
    const { meta } = item
    return {
      html: textOf(item['content'] ?? item['text']),
      isDone: item['checked'] === true || (isRecord(meta) && meta['checked'] === true),
      items: itemsOf(item['items'], depth + 1),
    }
  })
}

export function List({ data }: { data: BlockData }) {
  if (data['style'] === 'checklist') return <Checklist data={data} />
  const { meta } = data
  const start = isRecord(meta) && typeof meta['start'] === 'number' ? meta['start'] : 1
  return <Items items={itemsOf(data['items'])} isOrdered={data['style'] === 'ordered'} start={start} />
}

function Items({ items, isOrdered, start = 1 }: { items: Item[]; isOrdered: boolean; start?: number }) {
  const entries = items.map((item, index) => (
    <li key={index} dir="auto">
      <Inline html={item.html} />
      {item.items.length > 0 && <Items items={item.items} isOrdered={isOrdered} />}
    </li>
  ))
  return isOrdered ? <ol start={start}>{entries}</ol> : <ul>{entries}</ul>
}

export function Checklist({ data }: { data: BlockData }) {
  return <Checks items={itemsOf(data['items'])} />
}

function Checks({ items }: { items: Item[] }) {
  return (
    <ul class="checks">
      {items.map((item, index) => (
        <li key={index} dir="auto">
          <span class="box" role="img" aria-label={item.isDone ? '✓' : '☐'}>
            {item.isDone ? '✓' : ''}
          </span>
          <div>
            <Inline html={item.html} />
            {item.items.length > 0 && <Checks items={item.items} />}
          </div>
        </li>
      ))}
    </ul>
  )
}
