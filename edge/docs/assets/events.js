// Theme as on the page of the routes, and the filter of the list of messages.
const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()

const find = document.querySelector('#find')
const found = document.querySelector('#found')
const items = [...document.querySelectorAll('[data-find]')]

find.addEventListener('input', () => {
  const wanted = find.value.trim().toLowerCase()
  for (const item of items) item.hidden = !item.dataset.find.includes(wanted)
  for (const group of document.querySelectorAll('nav > ul > li'))
    group.hidden = group.querySelectorAll('[data-find]:not([hidden])').length === 0
  const count = items.filter(item => !item.hidden).length
  found.textContent = wanted ? `${count} of ${items.length} messages` : ''
})
