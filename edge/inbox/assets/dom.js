const svg = 'http://www.w3.org/2000/svg'

/** An element. Children that aren't nodes become text, so that no answer can become markup. */
export function h(tag, props = {}, ...children) {
  const element = tag === 'svg' || tag === 'path' ? document.createElementNS(svg, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === false || value === null || value === undefined) continue
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false))
  return element
}

/** Text in its own direction, independent of the page's: its full stop stays at its end. */
export const prose = (text, props = {}) => h('bdi', props, text)

/**
 * Makes `nodes` the children of an element, in that order. Nodes already in place are not moved, which keeps the focus.
 */
export function settle(element, nodes) {
  const wanted = new Set(nodes)
  for (const child of [...element.childNodes]) if (!wanted.has(child)) child.remove()
  for (const [index, node] of nodes.entries())
    if (element.childNodes[index] !== node) element.insertBefore(node, element.childNodes[index] ?? null)
}

/** An address for a link or a picture: http or https only, so that it can't run code. */
export function webAddress(text) {
  if (typeof text !== 'string' || text === '') return undefined
  // An address without a scheme begins with a host.
  const address = /^[^:/?#\s]*\.[^:/?#.\s]+([/?#]|$)/.test(text) ? `https://${text}` : text
  try {
    const url = new URL(address, document.baseURI)
    return /^https?:$/.test(url.protocol) ? url.href : undefined
  } catch {
    return undefined
  }
}

const paths = {
  bell: 'M6 9a6 6 0 0 1 12 0c0 6 2.500 7 2.500 7h-17S6 15 6 9M10 19.500a2.200 2.200 0 0 0 4 0',
  page: 'M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6',
  comment: 'M4 5h16v11H11l-5 4v-4H4z',
  like: 'M12 20s-7.500-4.600-7.500-10A4.200 4.200 0 0 1 12 7.300 4.200 4.200 0 0 1 19.500 10c0 5.400-7.500 10-7.500 10z',
  message: 'M3.500 6h17v12h-17zM4 7l8 6 8-6',
  member:
    'M12 11.500a3.800 3.800 0 1 0 0-7.600 3.800 3.800 0 0 0 0 7.600M4.500 20.500c0-4 3.300-6 7.500-6s7.500 2 7.500 6',
  workspace: 'M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z',
  hotel: 'M4 21V6l8-3v18M12 8l8 2v11M2 21h20M7.500 9h1M7.500 13h1M15.500 13h1',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400M9 19.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400',
  readAll: 'M2.500 12.500l4.500 4.500L16 8M11 16l1 1 9.500-9.500',
  close: 'M6 6l12 12M18 6L6 18',
  back: 'M15 5l-7 7 7 7',
  archive: 'M3.500 4h17v4.500h-17zM5 8.500V20h14V8.500M10 12.500h4',
  restore: 'M4 4v6h6M4.600 10a8 8 0 1 1-.3 5',
  read: 'M5 12.500l4.500 4.500L19 7.500',
  unreadAgain: 'M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9',
  alert: 'M12 8v5M12 16.500v.01M12 3l9.500 17h-19z',
}

/** A 24 by 24 icon. Its meaning must stand beside it, or in the label of its button. */
export const icon = name =>
  h(
    'svg',
    { class: `icon icon-${name}`, viewBox: '0 0 24 24', 'aria-hidden': 'true' },
    h('path', { d: paths[name] ?? paths.bell }),
  )

/** An icon button, with its name as label and tooltip. */
export const iconButton = (name, label, onclick, props = {}) =>
  h(
    'button',
    { type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...props },
    icon(name),
  )
