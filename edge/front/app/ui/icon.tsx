/** Outlines of 24 by 24, drawn with the colour of the text. */
export const outlines = {
  home: 'M4 11.5 12 5l8 6.5V20h-5.5v-5h-5v5H4z',
  bell: 'M6 16v-5a6 6 0 0 1 12 0v5l1.5 2h-15zM10 20.5h4',
  people:
    'M9 11a3.2 3.2 0 1 0 0-6.4A3.2 3.2 0 0 0 9 11zM3 19.5c0-3.3 2.7-5.5 6-5.5s6 2.2 6 5.5M16 5.2a3 3 0 0 1 0 5.6M17.5 14.3c2.1.7 3.5 2.6 3.5 5.2',
  hotel: 'M5 20V5h9v15M14 10h5v10M3 20h18M8 8.5h3M8 12h3M8 15.5h3',
  pen: 'M5 19l1-4L16.5 4.5l3 3L9 18zM14 7l3 3',
  search: 'M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5 20 20',
  pin: 'M9 4h6l-.7 6 3.2 3.5h-11L9.7 10zM12 13.5V20',
  heart: 'M12 19.5S4.5 15 4.5 9.7A4 4 0 0 1 12 7.6a4 4 0 0 1 7.5 2.1C19.5 15 12 19.5 12 19.5z',
  comment: 'M5 5.5h14v10H11L7 19v-3.5H5z',
  eye: 'M2.5 12S6 6 12 6s9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6zM12 14.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  check: 'M5 12.5 10 17.5 19.5 7',
  close: 'M6 6l12 12M18 6 6 18',
  plus: 'M12 5v14M5 12h14',
  more: 'M6 12h.01M12 12h.01M18 12h.01',
  back: 'M14.5 5.5 8 12l6.5 6.5',
  down: 'M6 9.5l6 6 6-6',
  leave: 'M14 5H6v14h8M10.5 12H20M17 8.5l3.5 3.5-3.5 3.5',
  clock: 'M12 20a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM12 7.5V12l3 2',
  warning: 'M12 4.5 21 19.5H3zM12 10.5v4M12 17h.01',
  file: 'M7 3.5h7l4 4V20.5H7zM14 3.5v4h4',
  chart: 'M4 20h16M7 16.5v-5M12 16.5v-9M17 16.5v-7',
  device: 'M7 3.5h10v17H7zM11 17.5h2',
  computer: 'M5 5.5h14v10H5zM2.5 18.5h19',
  star: 'M12 4l2.5 5.2 5.7.8-4.1 4 1 5.7-5.1-2.7-5.1 2.7 1-5.7-4.1-4 5.7-.8z',
  bookmark: 'M7 4.5h10V20l-5-4-5 4z',
  calendar: 'M4.5 6h15v13.5h-15zM4.5 10.5h15M8.5 3.5V6M15.5 3.5V6',
  place:
    'M12 20.5s-6.5-5.6-6.5-10.3a6.5 6.5 0 0 1 13 0C18.5 14.9 12 20.5 12 20.5zM12 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  reply: 'M9.5 7 4.5 12l5 5M5 12h8.5c3.5 0 5.5 2 6 5.5',
  next: 'M9.5 5.5 16 12l-6.5 6.5',
  download: 'M12 4.5V15M8 11.5l4 4 4-4M5 15.5v4h14v-4',
  key: 'M8.5 18.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM11.3 11.7 19 4M15.5 7.5l2.5 2.5',
  mail: 'M4 6.5h16v11H4zM4 7.5l8 6 8-6',
  up: 'M6 14.5l6-6 6 6',
  trash: 'M5 7h14M9.5 7V4.5h5V7M7 7l.8 12.5h8.4L17 7M10.5 10.5v6M13.5 10.5v6',
  bold: 'M8 5h5a3.3 3.3 0 0 1 0 6.8H8zM8 11.8h6a3.6 3.6 0 0 1 0 7.2H8z',
  italic: 'M10 5h7M7 19h7M14 5l-4 14',
  link: 'M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1',
  archive: 'M4 5h16v4H4zM5.5 9v10.5h13V9M10 13h4',
  copy: 'M9 9h10.5v11H9zM5 15.5V4.5h10',
  undo: 'M5 10h9a5 5 0 0 1 0 10h-4M5 10l4-4M5 10l4 4',
  redo: 'M19 10h-9a5 5 0 0 0 0 10h4M19 10l-4-4M19 10l-4 4',
  underline: 'M7.5 5v6.5a4.5 4.5 0 0 0 9 0V5M6 20h12',
  upload: 'M12 15.5V5M8 8.5 12 4.5l4 4M5 15.5v4h14v-4',
} as const

export type IconName = keyof typeof outlines

/** A picture beside a text or a named button; never read aloud. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={outlines[name]} />
    </svg>
  )
}
