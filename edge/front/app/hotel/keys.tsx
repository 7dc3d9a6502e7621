import { useState } from 'preact/hooks'
import type { CreateCredentialResponse, Credential } from '../../../../gen/client/auth.ts'
import { PermissionChoice, usePermissions } from '../members/permission-list.tsx'
import { useNameOfSlug } from '../members/words.ts'
import { useAction } from '../platform/action.ts'
import { useLoad, withoutBlanks } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateOf, useTexts } from '../platform/texts.ts'
import { dayOf, momentOf } from '../platform/times.ts'
import { Button, TextField } from '../ui/controls.tsx'
import { openDialog } from '../ui/dialogs.tsx'
import { Empty, Loaded, notify } from '../ui/feedback.tsx'
import { confirmAction, FormDialog } from '../ui/form.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { SecretDialog } from './secret.tsx'
import { Section, useManagesHotel } from './section.tsx'

const isExpired = ({ expiresAt }: Credential): boolean => expiresAt !== null && Date.parse(expiresAt) < Date.now()

/** The hotel's API credentials. A secret is shown once, when its key is made. */
export function Keys() {
  const t = useTexts('hotel/keys')
  const { workspace } = useMemberContext()
  const { ecosystemId } = workspace
  const nameOf = useNameOfSlug()
  const managesHotel = useManagesHotel().value
  const keys = useLoad(managesHotel ? `keys/${ecosystemId}` : null, signal =>
    platform.auth.listCredentials({ ecosystemId }, { signal }),
  )
  const showCreated = async (createdKey: CreateCredentialResponse) => {
    openDialog(close => (
      <SecretDialog title={t.ready} apiKey={createdKey.apiKey} secret={createdKey.apiSecret} onClose={close} />
    ))
    await keys.reload()
  }
  const revoke = ({ id }: Credential) =>
    confirmAction({ title: t.revokeTitle, text: t.revokeText, submit: t.revoke, isDanger: true }, async () => {
      await platform.auth.revokeCredential({ id })
      await keys.reload()
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
              onClick={() => void revoke(one)}
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
        <Button
          variant="main"
          icon="plus"
          onClick={() => openDialog(close => <KeyForm onClose={close} onMade={showCreated} />)}
        >
          {t.add}
        </Button>
      }
    >
      <p class="hint">{t.intro}</p>
      <Loaded load={keys} empty={<Empty icon="key" title={t.none} />}>
        {({ data }) => <Table label={t.title} columns={columns} rows={data} keyOf={one => one.id} />}
      </Loaded>
    </Section>
  )
}

type KeyFormProps = { onClose: () => void; onMade: (key: CreateCredentialResponse) => Promise<void> }

function KeyForm({ onClose, onMade }: KeyFormProps) {
  const t = useTexts('hotel/key-form')
  const { workspace, may } = useMemberContext()
  const permissions = usePermissions()
  const [chosenSlugs, setChosenSlugs] = useState(new Set<string>())
  const [expiryDay, setExpiryDay] = useState('')
  const create = useAction(async () => {
    const credential = await platform.auth.createCredential({
      body: {
        ecosystemId: workspace.ecosystemId,
        permissions: [...chosenSlugs],
        // The chosen day is the last one.
        ...withoutBlanks({ expiresAt: momentOf(`${expiryDay}T23:59:59`) }),
      },
    })
    onClose()
    await onMade(credential)
  })
  const grantablePermissions = permissions.value?.filter(({ slug, level }) => level === 'ecosystem' || may(slug))
  return (
    <FormDialog title={t.title} submit={t.create} action={create} onClose={onClose}>
      <p>{t.text}</p>
      <PermissionChoice
        permissions={{ ...permissions, value: grantablePermissions }}
        chosenSlugs={chosenSlugs}
        onChosen={setChosenSlugs}
      />
      <TextField
        label={t.expires}
        hint={t.expiresHint}
        type="date"
        min={dayOf(new Date())}
        value={expiryDay}
        onValue={setExpiryDay}
        error={create.fields['expiresAt']}
      />
    </FormDialog>
  )
}
