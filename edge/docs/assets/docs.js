// Shows the document that the page names. Nothing is kept: a token that was typed in is gone with the page.
const place = document.querySelector('#docs')

const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()

SwaggerUIBundle({
  url: place.dataset.url,
  domNode: place,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  showExtensions: false,
  // The default would send every document to a checker on the internet.
  validatorUrl: null,
})
