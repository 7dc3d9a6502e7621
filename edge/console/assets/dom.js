const svgNames = new Set(['svg', 'path'])

/**
 * An element. Children that aren't nodes become text, so that no answer can become markup. `on` are listeners, `class`
 * and all others attributes; false, null and undefined omit one.
 */
export function h(tag, props = {}, ...children) {
  const element = svgNames.has(tag)
    ? document.createElementNS('http://www.w3.org/2000/svg', tag)
    : document.createElement(tag)
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === false || value === null || value === undefined) continue
    if (name === 'on') for (const [type, listener] of Object.entries(value)) element.addEventListener(type, listener)
    else if (name === 'value') element.value = value
    else element.setAttribute(name, value === true ? '' : String(value))
  }
  append(element, children)
  return element
}

function append(element, children) {
  for (const child of children.flat(Infinity))
    if (child !== null && child !== undefined && child !== false) element.append(child)
}

/** The element with this `data-key`. */
export const keyed = (element, key) => element.querySelector(`[data-key="${CSS.escape(key)}"]`)

/**
 * Replaces an element's children. Focus returns to the element with the same `data-key`, and horizontal scroll
 * positions stay.
 */
export function fill(element, ...children) {
  const active = element.contains(document.activeElement) ? document.activeElement : undefined
  const key = active?.dataset?.key
  const aside = [...element.querySelectorAll('.table-scroll[data-key]')].filter(({ scrollLeft }) => scrollLeft > 0)
  const places = aside.map(({ dataset, scrollLeft }) => [dataset.key, scrollLeft])
  element.replaceChildren()
  append(element, children)
  for (const [name, left] of places) keyed(element, name)?.scrollTo({ left, behavior: 'instant' })
  if (key) keyed(element, key)?.focus({ preventScroll: true })
  return element
}

let pressed = Promise.resolve()
let release = () => undefined
addEventListener('pointerdown', () => {
  release()
  pressed = new Promise(resolve => {
    release = resolve
  })
})
// The click event follows this one.
for (const type of ['pointerup', 'pointercancel', 'blur']) addEventListener(type, () => setTimeout(() => release()))

/** Resolves once no pointer is pressed. */
export const released = () => pressed

/** A name that can wrap after its parts. */
export const breakable = name => name.split(/(?<=[._])/).flatMap(part => [part, h('wbr')])

const paths = {
  overview: 'M3 12l9-8 9 8M5.5 10v10h13V10M10 20v-6h4v6',
  hotels: 'M4 21V5l8-2v18M12 8l8 2v11M2 21h20M7.5 9h1M7.5 13h1M7.5 17h1M15.5 13h1M15.5 17h1',
  events: 'M3 12h4l3-8 4 16 3-8h4',
  'dead-letters': 'M3 6h18v13H3zM3 7l9 7 9-7',
  deliveries: 'M21 3L10 14M21 3l-7 18-4-7-7-4z',
  audit: 'M9 4h6v3H9zM15 5.500h3V21H6V5.500h3M9 12h6M9 16h4',
  sessions:
    'M16 20v-1.5a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4V20M9.500 10.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7M21 20v-1.500a4 4 0 0 0-3-3.800M16 3.700a3.500 3.500 0 0 1 0 6.600',
  legacy: 'M12 7v5l3.500 2M3.500 12a8.500 8.500 0 1 0 2.600-6.100L3 9M3 4v5h5',
  pause: 'M9 5v14M15 5v14',
  play: 'M7 4l13 8-13 8z',
  sun: 'M12 16.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9M12 2v2M12 20v2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M2 12h2M20 12h2M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400',
  moon: 'M20 14.500A8.500 8.500 0 1 1 9.500 4a7 7 0 0 0 10.500 10.500z',
  leave: 'M14 4h5v16h-5M10 8l-4 4 4 4M6 12h10',
  close: 'M6 6l12 12M18 6L6 18',
  chevron: 'M9 6l6 6-6 6',
  check: 'M5 12.500l4.500 4.500L19 7.500',
  alert: 'M12 8v5M12 16.500v.01M12 3l9.500 17h-19z',
  menu: 'M4 6h16M4 12h16M4 18h16',
}

/** A 24 by 24 icon. Its meaning must stand beside it, or in the label of its button. */
export const icon = name =>
  h(
    'svg',
    { class: 'icon', viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' },
    h('path', { d: paths[name] }),
  )
