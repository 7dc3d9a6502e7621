import { callOf, samplesOf } from './samples.js'
import { rememberSignIn, showSignIn } from './sign-in.js'

const place = document.querySelector('#docs')
const address = new URL(place.dataset.url, location.href).href

const dark = matchMedia('(prefers-color-scheme: dark)')
const applyTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', applyTheme)
applyTheme()

/** Empties the examples of optional parameters: the page would send them, and they match no record or the wrong one. */
function withoutOptionalExamples(api) {
  for (const operation of Object.values(api.paths).flatMap(Object.values)) {
    for (const parameter of operation.parameters ?? [])
      if (!parameter.required) {
        delete parameter.example
        delete parameter.schema?.example
      }
    const form = operation.requestBody?.content?.['multipart/form-data']?.schema
    for (const [name, field] of Object.entries(form?.properties ?? {}))
      if (!form.required?.includes(name) && field.type === 'string') field.example = ''
  }
  return api
}

/** Keeps the operations that have the typed words in their path, summary, id or tag. */
function filterOperations(tags, phrase) {
  const words = phrase.toLowerCase().split(/\s+/).filter(Boolean)
  const hasWords = (tag, operation) => {
    const { summary = '', operationId = '' } = operation.get('operation').toJS()
    const text = [tag, operation.get('path'), operation.get('method'), summary, operationId].join(' ').toLowerCase()
    return words.every(word => text.includes(word))
  }
  return tags
    .map((entry, tag) => entry.update('operations', list => list.filter(one => hasWords(tag, one))))
    .filter(entry => entry.get('operations').size > 0)
}

/** The samples of an opened operation, above its responses. */
const withSamples = (Responses, { React, specSelectors }) => {
  const { createElement: h, useState } = React
  const Samples = ({ path, method }) => {
    const [language, setLanguage] = useState('curl')
    const call = callOf({ document: specSelectors.specJson().toJS(), place: address, path, method })
    const samples = samplesOf(call)
    const choices = Object.keys(samples).map(name =>
      h(
        'button',
        { key: name, type: 'button', 'aria-pressed': name === language, onClick: () => setLanguage(name) },
        name,
      ),
    )
    const text = samples[language](call)
    return h(
      'section',
      { className: 'samples', 'aria-label': 'Sample' },
      h('div', { className: 'languages', role: 'group', 'aria-label': 'Language' }, choices),
      h('pre', { tabIndex: 0, 'aria-label': `Sample in ${language}` }, text),
    )
  }
  return props => h(React.Fragment, null, h(Samples, props), h(Responses, props))
}

/** An operation's path. Swagger UI makes it a link within the button that opens the operation. */
const asText =
  (_DeepLink, { React }) =>
  props =>
    React.createElement('span', null, props.text)

/** A button that is named by its text: Swagger UI names some by other words. */
const namedByText =
  (Button, { React }) =>
  props =>
    React.createElement(Button, { ...props, 'aria-label': undefined })

/** Attributes that Swagger UI's elements lack for keyboards and screen readers, by selector. */
const addedAttributes = {
  '.information-container': { role: 'region', 'aria-label': 'About' },
  '.filter-container': { role: 'search' },
  h3: { 'aria-level': 2 },
  h4: { 'aria-level': 3 },
  'h5, h6': { 'aria-level': 4 },
  'pre.microlight': { tabindex: 0 },
  '[data-param-name] :is(input, select)': {
    'aria-label': element => element.closest('[data-param-name]').dataset.paramName,
  },
  'input[type=file]': { 'aria-label': 'File' },
  '.body-param__text': { 'aria-label': 'Request body' },
  '.model-toggle': { role: 'img', 'aria-label': 'Fields' },
  '.modal-ux': { role: 'dialog', 'aria-label': 'Authorize' },
  '.close-modal': { 'aria-label': 'Close' },
}
new MutationObserver(() => {
  for (const [selector, attributes] of Object.entries(addedAttributes))
    for (const element of place.querySelectorAll(selector))
      for (const [name, value] of Object.entries(attributes))
        element.setAttribute(name, typeof value === 'function' ? value(element) : value)
}).observe(place, { childList: true, subtree: true })

const ui = SwaggerUIBundle({
  url: address,
  domNode: place,
  responseInterceptor(response) {
    if (response.url.includes('/openapi.json'))
      response.text = JSON.stringify(withoutOptionalExamples(JSON.parse(response.text)))
    return response
  },
  onComplete: () => showSignIn(ui, place.dataset.auth),
  plugins: [
    () => ({
      fn: { opsFilter: filterOperations },
      wrapComponents: { responses: withSamples, DeepLink: asText, Button: namedByText },
    }),
    rememberSignIn,
  ],
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: -1,
  displayRequestDuration: true,
  filter: true,
  persistAuthorization: false,
  showExtensions: false,
  // The default would send every document to an external validator.
  validatorUrl: null,
})
