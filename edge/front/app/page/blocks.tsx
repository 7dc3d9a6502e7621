import type { ComponentChildren, FunctionComponent } from 'preact'
import { fileAddress, fileName } from '../platform/addresses.ts'
import { useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { addressIn, type BlockData, isRecord, listOf, textOf, textsIn } from './block-data.ts'
import { ContentLink, Inline, plainText } from './inline.tsx'
import { pictureAttributes } from './pictures.ts'

type Block = FunctionComponent<{ data: BlockData }>

function Paragraph({ data }: { data: BlockData }) {
  return (
    <p dir="auto">
      <Inline html={textOf(data['text'])} />
    </p>
  )
}

/** The page's title is the first heading, so those of its text begin with the second. */
function Header({ data }: { data: BlockData }) {
  const Level = (['h2', 'h2', 'h3', 'h4'] as const)[Math.min(Number(data['level']) || 2, 4) - 1] ?? 'h2'
  return (
    <Level dir="auto">
      <Inline html={textOf(data['text'])} />
    </Level>
  )
}

function Quote({ data }: { data: BlockData }) {
  const caption = textOf(data['caption'])
  return (
    <figure class="quote">
      <blockquote dir="auto">
        <Inline html={textOf(data['text'])} />
      </blockquote>
      {caption && (
        <figcaption dir="auto">
          <Inline html={caption} />
        </figcaption>
      )}
    </figure>
  )
}

function Table({ data }: { data: BlockData }) {
  const t = useTexts('page/blocks')
  const rows = listOf(data['content']).map(row => listOf(row).map(textOf))
  const [first, ...otherRows] = rows
  const head = data['withHeadings'] === true ? first : undefined
  return (
    <div class="table-box" role="region" aria-label={t.table} tabIndex={0}>
      <table>
        {head && (
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={index} scope="col" dir="auto">
                  <Inline html={cell} />
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {(head ? otherRows : rows).map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} dir="auto">
                  <Inline html={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Code({ data }: { data: BlockData }) {
  return (
    <pre tabIndex={0} dir="ltr">
      <code>{textOf(data['code'])}</code>
    </pre>
  )
}

function Warning({ data }: { data: BlockData }) {
  const title = textOf(data['title'])
  return (
    <div class="callout" role="note">
      <Icon name="warning" />
      <div dir="auto">
        {title && (
          <p>
            <strong>
              <Inline html={title} />
            </strong>
          </p>
        )}
        <p>
          <Inline html={textOf(data['message'])} />
        </p>
      </div>
    </div>
  )
}

/** A block of an unknown type: its texts. */
function OtherBlock({ data }: { data: BlockData }) {
  return (
    <>
      {textsIn(data).map((text, index) => (
        <p key={index} dir="auto">
          <Inline html={text} />
        </p>
      ))}
    </>
  )
}

const kinds = new Map<unknown, Block>([
  ['paragraph', Paragraph],
  ['header', Header],
  ['heading', Header],
  ['list', List],
  ['nestedList', List],
  ['checklist', Checklist],
  ['quote', Quote],
  ['image', Picture],
  ['simpleImage', Picture],
  ['video', Video],
  ['table', Table],
  ['delimiter', () => <hr />],
  ['code', Code],
  ['warning', Warning],
  ['alert', Warning],
  ['embed', Embed],
  ['linkTool', LinkPreview],
  ['attaches', Attachment],
])

/** An editor document `{blocks: [{type, data}]}`, shown safely whatever it holds. */
export function Blocks({ content }: { content: Record<string, unknown> | null }) {
  const blocks = listOf(content?.['blocks']).filter(isRecord)
  return (
    <div class="blocks">
      {blocks.map(({ type, data }, index) => {
        const Kind = kinds.get(type) ?? OtherBlock
        return <Kind key={index} data={isRecord(data) ? data : {}} />
      })}
      {content && !Array.isArray(content['blocks']) && <OtherBlock data={content} />}
    </div>
  )
}

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

function List({ data }: { data: BlockData }) {
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

function Checklist({ data }: { data: BlockData }) {
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

function Figure({ data, children }: { data: BlockData; children: ComponentChildren }) {
  const caption = textOf(data['caption'])
  return (
    <figure class={data['stretched'] === true ? 'stretched' : undefined}>
      {children}
      {caption && (
        <figcaption dir="auto">
          <Inline html={caption} />
        </figcaption>
      )}
    </figure>
  )
}

function Picture({ data }: { data: BlockData }) {
  const attributes = pictureAttributes(data)
  return (
    <Figure data={data}>
      {attributes.src && <img {...attributes} alt={plainText(textOf(data['caption']))} loading="lazy" />}
    </Figure>
  )
}

function Video({ data }: { data: BlockData }) {
  const address = fileAddress(addressIn(data))
  if (!address) return <Figure data={data}>{null}</Figure>
  return (
    <Figure data={data}>
      <video src={address} controls preload="metadata" playsInline />
    </Figure>
  )
}

/** A film or post of another site, as a link: nothing of another site is loaded into the page. */
function Embed({ data }: { data: BlockData }) {
  const address = fileAddress(data['source']) ?? fileAddress(data['embed'])
  const caption = textOf(data['caption'])
  if (!address) return caption ? <Figure data={data}>{null}</Figure> : null
  return (
    <p class="outside">
      <ContentLink address={address}>
        <Icon name="link" />
        <span dir="auto">{plainText(caption) || new URL(address).host}</span>
        <small>{new URL(address).host}</small>
      </ContentLink>
    </p>
  )
}

function LinkPreview({ data }: { data: BlockData }) {
  const meta = isRecord(data['meta']) ? data['meta'] : {}
  return <Embed data={{ source: data['link'], caption: textOf(meta['title']) }} />
}

function Attachment({ data }: { data: BlockData }) {
  const file = isRecord(data['file']) ? data['file'] : {}
  const name = plainText(textOf(data['title']) || textOf(file['title']) || textOf(file['name']))
  return <FileLink address={addressIn(data)} name={name} />
}

/** A file to open or keep; without an address on the web, its name alone. */
export function FileLink({ address, name }: { address: unknown; name?: string }) {
  const href = fileAddress(address)
  if (!href) return name ? <p dir="auto">{name}</p> : null
  return (
    <p class="outside">
      <ContentLink address={href}>
        <Icon name="file" />
        <span dir="auto">{name || fileName(href)}</span>
      </ContentLink>
    </p>
  )
}
