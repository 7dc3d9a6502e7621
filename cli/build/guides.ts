import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { Marked } from 'marked'
import { guides } from '../../edge/docs/guides.ts'
import { escapeHtml } from '../../services/kernel/base/text.ts'
import { root } from '../run.ts'

const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s-]/gu, '')
    .replaceAll(/\s/g, '-')

/** The pages of the documentation that a document may lead to: the other guides, and what the protos generate. */
const pages = { ...guides, events: { title: 'Events and frames', file: 'docs/events.md' } }

/** A link of a document on the pages; its text alone where it leads to what isn't one of them. */
function linkOf(href: string, text: string, file: string): string {
  if (/^(https?:|#)/.test(href)) return `<a href="${href}">${text}</a>`
  const [path = '', anchor] = href.split('#')
  const target = normalize(join(dirname(file), path))
  const [slug, guide] = Object.entries(pages).find(([, one]) => one.file === target) ?? []
  if (!guide) return text
  return `<a href="{base}/docs/${slug}/${anchor ? `#${anchor}` : ''}">${text.endsWith('.md') ? guide.title : text}</a>`
}

/** The guides as HTML, by their names below `dist/`. `{base}` stands for the path below which the pages are served. */
export function guideFiles(): [name: string, html: string][] {
  return Object.entries(guides).map(([slug, { file }]) => {
    const marked = new Marked({
      renderer: {
        heading({ tokens, depth, text }) {
          return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>`
        },
        link({ href, tokens }) {
          return linkOf(href, this.parser.parseInline(tokens), file)
        },
        code: ({ text, escaped, lang }) =>
          `<pre tabindex="0" aria-label="Code${lang ? ` in ${lang}` : ''}">${escaped ? text : escapeHtml(text)}</pre>`,
        tablecell({ tokens, header, align }) {
          const text = this.parser.parseInline(tokens)
          const tag = header && text ? 'th' : 'td'
          return `<${tag}${align ? ` align="${align}"` : ''}>${text}</${tag}>`
        },
        image: () => '',
      },
    })
    return [`docs/${slug}.html`, marked.parse(readFileSync(join(root, file), 'utf8'), { async: false })]
  })
}
