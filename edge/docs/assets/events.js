// The filter of the list of messages.
const find = document.querySelector('#find')
const count = document.querySelector('#found')
const items = [...document.querySelectorAll('[data-find]')]

find.addEventListener('input', () => {
  const text = find.value.trim().toLowerCase()
  for (const item of items) item.hidden = !item.dataset.find.includes(text)
  for (const group of document.querySelectorAll('nav > ul > li'))
    group.hidden = group.querySelectorAll('[data-find]:not([hidden])').length === 0
  const matches = items.filter(item => !item.hidden).length
  count.textContent = text ? `${matches} of ${items.length} messages` : ''
})
