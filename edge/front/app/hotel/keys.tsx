import { useState } from 'preact/hooks'
import type { CreateCredentialResponse, Credential } from '../../../../gen/client/auth.ts'
import { useNameOfSlug } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateOf, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { useManagesHotel } from './hotel-rights.ts'
import { KeyForm } from './key-form.tsx'
import { KeySecret } from './key-secret.tsx'
import { Section } from './section.tsx'

const isExpired = ({ expiresAt }: Credential): boolean => expiresAt !== null && Date.parse(expiresAt) < Date.now()

/** The hotel's API credentials. A secret is shown once, when its key is made. */
export function Keys() {
  const t = useTexts('hotel/keys')
  const { workspace } = useMemberContext()
  const { ecosystemId } = workspace
  const nameOf = useNameOfSlug()
  const managesHotel = useManagesHotel()
  const keys = useLoad(managesHotel ? `keys/${ecosystemId}` : null, signal =>
    platform.auth.listCredentials({ ecosystemId }, { signal }),
  )
  const [isAdding, setAdding] = useState(false)
  const [newCredential, setNewCredential] = useState<CreateCredentialResponse | undefined>(undefined)
  const [keyToRevoke, setKeyToRevoke] = useState<Credential | undefined>(undefined)
  const revoke = useAction(async ({ id }: Credential) => {
    await platform.auth.revokeCredential({ id })
    await keys.reload()
    setKeyToRevoke(undefined)
    notify(t.gone)
  })
  const stateOf = (key: Credential) => (!key.isActive ? 'revoked' : isExpired(key) ? 'expired' : 'active')
  const columns: TableColumn<Credential>[] = [
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
              onClick={() => setKeyToRevoke(one)}
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
      path="/hotel/keys"
      actions={
        <Button variant="main" icon="plus" onClick={() => setAdding(true)}>
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
            setNewCredential(key)
            await keys.reload()
          }}
        />
      )}
      {newCredential && <KeySecret createdKey={newCredential} onClose={() => setNewCredential(undefined)} />}
      {keyToRevoke && (
        <Confirm
          title={t.revokeTitle}
          text={t.revokeText}
          submit={t.revoke}
          isDanger
          action={{ ...revoke, run: () => revoke.run(keyToRevoke) }}
          onClose={() => setKeyToRevoke(undefined)}
        />
      )}
    </Section>
  )
}
