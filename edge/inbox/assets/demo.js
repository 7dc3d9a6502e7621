const inbox = document.querySelector('platform-inbox')
const output = document.querySelector('#output')
const field = document.querySelector('#token')

document.querySelector('form').addEventListener('submit', event => {
  event.preventDefault()
  inbox.token = field.value.trim()
})
inbox.addEventListener('token-needed', ({ detail }) => {
  output.textContent = detail.mustRenew ? 'Your session has expired: paste a new token.' : 'No token yet.'
})
inbox.addEventListener('notification-click', ({ detail }) => {
  output.textContent = `Clicked: ${detail.type}.${detail.category}, ${JSON.stringify(detail.data)}`
})
inbox.addEventListener('unread-change', ({ detail }) => {
  output.textContent = `${detail.unread} unread`
})
for (const input of document.querySelectorAll('input'))
  input.addEventListener('change', () => {
    if (input.name === 'lang') inbox.lang = input.value
    else inbox.setAttribute('theme', input.value)
    document.documentElement.dataset.theme =
      input.name === 'theme' ? input.value : document.documentElement.dataset.theme
  })
