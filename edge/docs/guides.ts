/** Documents of the repository that are pages of the documentation, below /docs/; `npm run build` renders them. */
export const guides: Record<string, { title: string; file: string }> = {
  contract: { title: 'Errors, limits, conventions', file: 'docs/contract.md' },
  clients: { title: 'Clients and RPC', file: 'docs/guides/clients.md' },
  sockets: { title: 'Sockets', file: 'docs/guides/realtime.md' },
  webhooks: { title: 'Webhooks', file: 'docs/guides/webhooks.md' },
  inbox: { title: 'Inbox component', file: 'docs/guides/inbox.md' },
  changes: { title: 'Changes', file: 'CHANGELOG.md' },
}
