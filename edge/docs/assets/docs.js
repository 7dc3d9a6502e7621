// Shows the document that the page names. Nothing is stored: an entered token is lost with the page.
const place = document.querySelector('#docs')

const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()

/** Empties the examples of optional parameters: the page would send them, and they match no record or the wrong one. */
function emptied(document) {
  for (const operation of Object.values(document.paths).flatMap(Object.values)) {
    for (const { required, schema } of operation.parameters ?? []) if (!required) delete schema?.example
    const form = operation.requestBody?.content?.['multipart/form-data']?.schema
    for (const [name, field] of Object.entries(form?.properties ?? {}))
      if (!form.required?.includes(name) && field.type === 'string') field.example = ''
  }
  return document
}

SwaggerUIBundle({
  url: place.dataset.url,
  domNode: place,
  responseInterceptor(response) {
    if (response.url.includes('/openapi.json')) response.text = JSON.stringify(emptied(JSON.parse(response.text)))
    return response
  },
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  showExtensions: false,
  // The default would send every document to an external validator.
  validatorUrl: null,
})
