import { Plugin } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import type { MediaFile } from '../../../../gen/client/media.ts'
import type { BlockData } from '../page/block-data.ts'
import type { Uploads } from '../ui/uploads.tsx'
import { readContent } from './blocks.ts'
import { insertBlock } from './commands.ts'
import { type StoredBlock, schema } from './schema.ts'

const { nodes } = schema

/** A block for a file that is being stored, and the name of its upload. */
export type BegunFile = { source: StoredBlock; upload: string }

/** Stores files, with their progress in view. */
type StoreFiles = Uploads['add']

const pictureOf = (file: BlockData): StoredBlock => ({
  type: 'image',
  data: { file, caption: '', withBorder: false, withBackground: false, stretched: false },
})
const blockOf = ({
  fileUrl: url,
  thumbnailUrl,
  width,
  height,
  fileName,
  size,
  contentType,
}: MediaFile): StoredBlock => {
  if (contentType.startsWith('image/')) return pictureOf({ url, thumbnailUrl, width, height })
  const file = { url, name: fileName, size, extension: fileName.split('.').at(-1) ?? '' }
  return { type: 'attaches', data: { file, title: fileName } }
}

/** A picture of another site, as a file. Fails where that site doesn't give it to others. */
async function readPicture(address: string): Promise<File> {
  const image = new Image()
  image.crossOrigin = 'anonymous'
  image.src = address
  await image.decode()
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight)
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.9 })
  return new File([blob], `picture.${blob.type.slice(6)}`, { type: blob.type })
}

/** Pictures and files of a text that are being stored. Each has its place in the text from the beginning. */
export class TextFiles {
  /** What became of each upload: a block, or null after a refusal. */
  readonly #results = new Map<string, StoredBlock | null>()
  readonly #store: StoreFiles
  view: EditorView | undefined

  constructor(store: StoreFiles) {
    this.#store = store
  }

  /** Adds files after the selected blocks. */
  add(files: File[], allowedKind?: 'pictures'): void {
    for (const file of files) {
      if (!this.view) return
      const attrs = this.begin(file, allowedKind)
      const { type, data } = attrs.source
      const name = typeof data['title'] === 'string' ? schema.text(data['title']) : null
      this.view.dispatch(
        insertBlock(this.view.state.tr, nodes[type === 'image' ? 'figure' : 'card'].create(attrs, name)),
      )
    }
  }

  /** Begins to store a file, or the picture of an address, which stays if its site refuses. */
  begin(file: File | string, allowedKind?: 'pictures'): BegunFile {
    const upload = crypto.randomUUID()
    const settle = (block: StoredBlock | null) => {
      this.#results.set(upload, block)
      if (this.view) this.view.dispatch(this.view.state.tr)
    }
    if (typeof file === 'string') {
      const source = pictureOf({ url: file })
      const keep = () => settle(source)
      readPicture(file).then(picture => this.#store([picture], media => settle(blockOf(media)), 'pictures', keep), keep)
      return { source, upload }
    }
    this.#store(
      [file],
      media => settle(blockOf(media)),
      allowedKind,
      () => settle(null),
    )
    if (!file.type.startsWith('image/')) return { source: { type: 'attaches', data: { title: file.name } }, upload }
    return { source: { type: 'image', data: { preview: URL.createObjectURL(file) } }, upload }
  }

  /** Puts results in their places, also when a redo brings back a place whose file is stored meanwhile. */
  readonly plugin = new Plugin({
    appendTransaction: (_transactions, _oldState, { doc, tr }) => {
      doc.forEach((node, offset) => {
        const block = this.#results.get(String(node.attrs['upload']))
        if (block === undefined) return
        const from = tr.mapping.map(offset)
        const { firstChild } = readContent({ blocks: block ? [block] : [] })
        if (firstChild?.type === node.type) tr.setNodeMarkup(from, null, { source: block })
        else tr.replaceWith(from, from + node.nodeSize, block && firstChild ? firstChild : [])
      })
      return tr.docChanged ? tr.setMeta('addToHistory', false) : null
    },
  })
}
