import { join } from 'node:path'
import { pipe, root } from '../run.ts'
import { architectureText } from './architecture.ts'
import { asyncApiText } from './asyncapi.ts'
import { catalogueText, eventListText } from './catalogue.ts'
import { clientOutputs } from './client.ts'
import { loadFiles } from './descriptors.ts'
import { accountsText, emittedBy, emittedText } from './emitted.ts'
import { serviceSources } from './events/catalogue.ts'
import { eventsText } from './events.ts'
import type { Output } from './files.ts'
import { prometheusRuleText } from './monitoring.ts'
import { readComments } from './openapi/comments.ts'
import { openApiOutputs } from './openapi/document.ts'
import { permissionsText, routesText } from './route-table.ts'

/** All generated files with their current content. */
export async function outputs(): Promise<Output[]> {
  const files = await loadFiles(join(root, 'gen'))
  const comments = readComments()
  const documents = openApiOutputs(files, comments)
  const emitted = emittedBy(files, serviceSources())
  return [
    { path: 'gen/catalogue.ts', text: formatted('catalogue.ts', catalogueText(files)) },
    { path: 'gen/events.ts', text: formatted('events.ts', eventListText(files)) },
    { path: 'docs/architecture.md', text: architectureText() },
    { path: 'docs/routes.md', text: routesText(files) },
    { path: 'docs/permissions.md', text: permissionsText(files) },
    { path: 'gen/emitted.ts', text: formatted('emitted.ts', emittedText(emitted)) },
    { path: 'deploy/nats/accounts.conf', text: accountsText(emitted) },
    { path: 'deploy/monitoring/kubernetes/rules.yaml', text: prometheusRuleText() },
    { path: 'docs/events.md', text: eventsText(files, serviceSources(), comments) },
    { path: 'gen/asyncapi.json', text: asyncApiText(files, comments) },
    ...documents,
    ...clientOutputs(documents).map(({ path, text }) => ({ path, text: formatted('client.ts', text) })),
  ]
}

function formatted(path: string, text: string): string {
  const { ok, output } = pipe(text, 'biome', 'format', `--stdin-file-path=${path}`)
  if (!ok) throw new Error(output)
  return `${output}\n`
}
