// Shows the document that the page names. Nothing is stored: an entered token is lost with the page.
const place = document.querySelector('#docs')

const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()

/** Moves references to the specification to the end, in small type. */
function withSource(text) {
  const sources = []
  const told = text?.replace(/ ?\((documents? \d[^()]*)\)/g, (_whole, source) => (sources.push(source), ''))
  return sources.length > 0 ? `${told} *Specification: ${sources.join('; ')}*` : text
}
const sources = ({ React }) => ({
  wrapComponents: {
    Markdown: Original => props => React.createElement(Original, { ...props, source: withSource(props.source) }),
  },
})

/** Optional parameters start empty: sent unasked, an example value would find nothing, or the wrong record. */
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
  plugins: [sources],
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
