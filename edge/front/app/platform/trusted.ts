import { basePath } from './place.ts'

type Rules = { createHTML(text: string): string; createScriptURL(name: string): string }
type Factory = { createPolicy(name: 'front', rules: Rules): Rules }

const rules: Rules = {
  createHTML: text => text,
  // The service worker is the only script that is loaded by its address.
  createScriptURL: () => `${basePath}service-worker.js`,
}
const { trustedTypes } = globalThis as { trustedTypes?: Factory }

/** The policy that the page's Content-Security-Policy allows, beside the text editor's. */
const policy = trustedTypes?.createPolicy('front', rules) ?? rules

export const workerAddress = (): string => policy.createScriptURL('')

/**
 * Reads HTML into a fragment that belongs to no page: nothing loads there, no script runs and no style applies. Its
 * nodes are never moved into the page: what is wanted of them is built again.
 */
export function readHtml(text: string): DocumentFragment {
  const template = document.createElement('template')
  template.innerHTML = policy.createHTML(text)
  return template.content
}
