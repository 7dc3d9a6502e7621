import { useState } from 'preact/hooks'
import type { CreateCredentialResponse, Credential } from '../../../../gen/client/auth.ts'
import { useNameOfSlug } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useHere } from '../platform/here.ts'
import { useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { dateOf, texts, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { type Column, Table } from '../ui/table.tsx'
import { useManagesHotel } from './hotel-rights.ts'
import { KeyForm } from './key-form.tsx'
import { KeySecret } from './key-secret.tsx'
import { Section } from './section.tsx'

const words = texts({
  en: {
    title: 'API keys',
    intro:
      'A key lets another program, such as a payroll or a booking system, act for the hotel with chosen permissions.',
    add: 'New key',
    none: 'No keys yet',
    key: 'Key',
    rights: 'Permissions',
    noRights: 'None',
    created: 'Created',
    expires: 'Expires',
    never: 'Never',
    state: 'State',
    active: 'Active',
    revoked: 'Revoked',
    expired: 'Expired',
    actions: 'Actions',
    revoke: 'Revoke',
    revokeTitle: 'Revoke this key?',
    revokeText: 'Programs that use it stop working at once. A revoked key can’t be restored.',
    gone: 'The key was revoked.',
  },
  fr: {
    title: 'Clés d’API',
    intro:
      'Une clé permet à un autre logiciel, comme la paie ou les réservations, d’agir pour l’hôtel avec des droits choisis.',
    add: 'Nouvelle clé',
    none: 'Pas encore de clé',
    key: 'Clé',
    rights: 'Droits',
    noRights: 'Aucun',
    created: 'Créée le',
    expires: 'Expire le',
    never: 'Jamais',
    state: 'État',
    active: 'Active',
    revoked: 'Révoquée',
    expired: 'Expirée',
    actions: 'Actions',
    revoke: 'Révoquer',
    revokeTitle: 'Révoquer cette clé ?',
    revokeText:
      'Les logiciels qui l’utilisent cesseront aussitôt de fonctionner. Une clé révoquée ne peut pas être rétablie.',
    gone: 'La clé a été révoquée.',
  },
})

const isOver = ({ expiresAt }: Credential): boolean => expiresAt !== null && Date.parse(expiresAt) < Date.now()

/** The hotel's API credentials. A secret is shown once, when its key is made. */
export function Keys() {
  const t = useTexts(words)
  const { workspace } = useHere()
  const { ecosystemId } = workspace
  const nameOf = useNameOfSlug()
  const manages = useManagesHotel()
  const keys = useLoad(manages ? `keys/${ecosystemId}` : null, signal =>
    platform.auth.listCredentials({ ecosystemId }, { signal }),
  )
  const [isAdding, setAdding] = useState(false)
  const [made, setMade] = useState<CreateCredentialResponse | undefined>(undefined)
  const [revoking, setRevoking] = useState<Credential | undefined>(undefined)
  const revoke = useAction(async ({ id }: Credential) => {
    await platform.auth.revokeCredential({ id })
    await keys.reload()
    setRevoking(undefined)
    notify(t.gone)
  })
  const stateOf = (key: Credential) => (!key.isActive ? 'revoked' : isOver(key) ? 'expired' : 'active')
  const columns: Column<Credential>[] = [
    { name: t.key, cell: one => <code>{`${one.apiKey.slice(0, 10)}…${one.apiKey.slice(-4)}`}</code> },
    {
      name: t.rights,
      cell: one => <span>{one.permissions.map(slug => nameOf(slug)).join(', ') || t.noRights}</span>,
    },
    { name: t.created, cell: one => (one.createdAt ? dateOf(one.createdAt) : '') },
    { name: t.expires, cell: one => (one.expiresAt ? dateOf(one.expiresAt) : t.never) },
    {
      name: t.state,
      cell: one => <span class={stateOf(one) === 'active' ? 'tag strong' : 'tag'}>{t[stateOf(one)]}</span>,
    },
    {
      name: t.actions,
      cell: one =>
        one.isActive && (
          <span class="actions">
            <Button
              class="small"
              aria-label={`${t.revoke} ${one.apiKey.slice(0, 10)}`}
              onClick={() => setRevoking(one)}
            >
              {t.revoke}
            </Button>
          </span>
        ),
    },
  ]
  return (
    <Section
      title={t.title}
      here="/hotel/keys"
      actions={
        <Button look="main" icon="plus" onClick={() => setAdding(true)}>
          {t.add}
        </Button>
      }
    >
      <p class="hint">{t.intro}</p>
      <Problem error={keys.error} onRetry={() => void keys.reload()} />
      {!keys.value && !keys.error && <Loading />}
      {keys.value?.data.length === 0 && <Empty icon="key" title={t.none} />}
      {keys.value && keys.value.data.length > 0 && (
        <Table label={t.title} columns={columns} rows={keys.value.data} keyOf={one => one.id} />
      )}
      {isAdding && (
        <KeyForm
          onClose={() => setAdding(false)}
          onMade={async key => {
            setAdding(false)
            setMade(key)
            await keys.reload()
          }}
        />
      )}
      {made && <KeySecret made={made} onClose={() => setMade(undefined)} />}
      {revoking && (
        <Confirm
          title={t.revokeTitle}
          text={t.revokeText}
          action={t.revoke}
          isDanger
          isBusy={revoke.isRunning}
          error={revoke.error}
          onConfirm={() => void revoke.run(revoking)}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </Section>
  )
}
