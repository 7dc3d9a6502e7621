import type { FunctionComponent } from 'preact'
import { useTexts } from '../platform/texts.ts'
import { Icon } from '../ui/icon.tsx'
import { type BlockData, isRecord, listOf, textOf, textsIn } from './block-data.ts'
import { Attachment, Embed, LinkPreview, Picture, Video } from './block-files.tsx'
import { Checklist, List } from './block-lists.tsx'
import { Inline } from './inline.tsx'

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
  const [first, ...others] = rows
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
          {(head ? others : rows).map((row, index) => (
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
