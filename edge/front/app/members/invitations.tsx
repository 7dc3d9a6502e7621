import { useState } from 'preact/hooks'
import type { Invitation } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateOf, fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { Confirm } from '../ui/dialogs.tsx'
import { Breakable } from '../ui/facts.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { Pager } from '../ui/pager.tsx'
import { Table, type TableColumn } from '../ui/table.tsx'
import { Toggle } from '../ui/toggle.tsx'
import { useRefusals } from './refusals.ts'
import { useRoles } from './roles-of.ts'
import { Section } from './section.tsx'
import { useRoleName } from './words.ts'

/** Open and expired invitations, to send again or withdraw. */
export function Invitations() {
  const t = useTexts('members/invitations')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const roleName = useRoleName(useRoles().value)
  const query = useQuery()
  const status = query.get('status') === 'expired' ? ('expired' as const) : ('pending' as const)
  const page = Math.max(1, Number(query.get('page')) || 1)
  const { value, error, reload, change } = useLoad(`invitations/${workspace.id}/${status}/${page}`, signal =>
    platform.member.listInvitations({ workspaceId: workspace.id, status, page, limit: 30 }, { signal }),
  )
  const [withdrawing, setWithdrawing] = useState<Invitation | undefined>(undefined)
  const resend = useAction(async ({ id, email }: Invitation) => {
    await platform.member.resendInvitation({ id, body: {} })
    notify(fill(t.resent, { email }))
    void reload()
  })
  const cancel = useAction(async ({ id }: Invitation) => {
    await platform.member.cancelInvitation({ id })
    change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
    setWithdrawing(undefined)
    notify(t.cancelled)
    void reload()
  })
  const columns: TableColumn<Invitation>[] = [
    {
      name: t.person,
      cell: one => (
        <>
          <bdi>{[one.firstName, one.lastName].filter(Boolean).join(' ')}</bdi>
          <span class="hint">
            <Breakable text={one.email} />
          </span>
        </>
      ),
    },
    { name: t.role, cell: one => roleName(one.workspaceRole) },
    { name: t.sent, cell: one => (one.updatedAt ? timeAgo(one.updatedAt) : '') },
    { name: t.expires, cell: one => (one.expiresAt ? dateOf(one.expiresAt) : '') },
    {
      name: t.actions,
      cell: one => (
        <span class="actions">
          <Button class="small" aria-label={`${t.resend}: ${one.email}`} onClick={() => void resend.run(one)}>
            {t.resend}
          </Button>
          <Button
            class="small"
            variant="quiet"
            aria-label={`${t.cancel}: ${one.email}`}
            onClick={() => setWithdrawing(one)}
          >
            {t.cancel}
          </Button>
        </span>
      ),
    },
  ]
  return (
    <Section
      title={t.invitations}
      path="/members/invitations"
      actions={
        <Link to="/members/invite" class="button main">
          {t.invitePeople}
        </Link>
      }
    >
      <Toggle
        label={t.status}
        value={status}
        choices={[
          { value: 'pending', text: t.pending },
          { value: 'expired', text: t.expired },
        ]}
        onValue={one => changeQuery({ status: one === 'pending' ? '' : one, page: '' })}
      />
      <Problem error={error ?? resend.error} statusTexts={refusals(resend.error)} />
      {!value && !error && <Loading />}
      {value?.data.length === 0 && (
        <Empty icon="mail" title={status === 'pending' ? t.none : t.noneExpired}>
          <p>{t.noneText}</p>
        </Empty>
      )}
      {value && value.data.length > 0 && (
        <Table label={t.invitations} columns={columns} rows={value.data} keyOf={one => one.id} />
      )}
      <Pager
        page={page}
        totalPages={value?.meta?.totalPages ?? 0}
        onPage={next => changeQuery({ page: String(next) })}
      />
      {withdrawing && (
        <Confirm
          title={t.cancelTitle}
          text={fill(t.cancelText, { email: withdrawing.email })}
          submit={t.cancel}
          isDanger
          action={{ ...cancel, run: () => cancel.run(withdrawing) }}
          statusTexts={refusals(cancel.error)}
          onClose={() => setWithdrawing(undefined)}
        />
      )}
    </Section>
  )
}
