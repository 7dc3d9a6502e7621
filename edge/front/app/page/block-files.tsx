import type { ComponentChildren } from 'preact'
import { fileAddress, fileName, pictureAddress } from '../platform/addresses.ts'
import { Icon } from '../ui/icon.tsx'
import { addressIn, type BlockData, isRecord, textOf } from './block-data.ts'
import { ContentLink, Inline, plainText } from './inline.tsx'

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

export function Picture({ data }: { data: BlockData }) {
  const address = pictureAddress(addressIn(data))
  if (!address) return <Figure data={data}>{null}</Figure>
  return (
    <Figure data={data}>
      <img src={address} alt={plainText(textOf(data['caption']))} loading="lazy" />
    </Figure>
  )
}

export function Video({ data }: { data: BlockData }) {
  const address = fileAddress(addressIn(data))
  if (!address) return <Figure data={data}>{null}</Figure>
  return (
    <Figure data={data}>
      <video src={address} controls preload="metadata" playsInline />
    </Figure>
  )
}

/** A film or post of another site, as a link: nothing of another site is loaded into the page. */
export function Embed({ data }: { data: BlockData }) {
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

export function LinkPreview({ data }: { data: BlockData }) {
  const meta = isRecord(data['meta']) ? data['meta'] : {}
  return <Embed data={{ source: data['link'], caption: textOf(meta['title']) }} />
}

export function Attachment({ data }: { data: BlockData }) {
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
