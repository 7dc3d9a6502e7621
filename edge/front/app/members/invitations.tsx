import type { Invitation } from '../../../../gen/client/member.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, Link, pageNumber, useQuery } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateOf, fill, timeAgo, useTexts } from '../platform/texts.ts'
import { Button, Toggle } from '../ui/controls.tsx'
import { Empty, Loaded, notify, Problem } from '../ui/feedback.tsx'
import { confirmAction } from '../ui/form.tsx'
import { PersonCell } from '../ui/people.tsx'
import { Pager, Table, type TableColumn } from '../ui/table.tsx'
import { useRoles } from './groups-of.ts'
import { Section } from './section.tsx'
import { useRefusals, useRoleName } from './words.ts'

/** Open and expired invitations, to send again or withdraw. */
export function Invitations() {
  const t = useTexts('members/invitations')
  const { workspace } = useMemberContext()
  const refusals = useRefusals()
  const roleName = useRoleName(useRoles().value)
  const query = useQuery('status', 'page')
  const status = query.status === 'expired' ? 'expired' : 'pending'
  const page = pageNumber(query.page)
  const invitations = useLoad(`invitations/${workspace.id}/${status}/${page}`, signal =>
    platform.member.listInvitations({ workspaceId: workspace.id, status, page, limit: 30 }, { signal }),
  )
  const { reload, change } = invitations
  const resend = useAction(async ({ id, email }: Invitation) => {
    await platform.member.resendInvitation({ id, body: {} })
    notify(fill(t.resent, { email }))
    void reload()
  })
  const withdraw = ({ id, email }: Invitation) =>
    confirmAction(
      {
        title: t.cancelTitle,
        text: fill(t.cancelText, { email }),
        submit: t.cancel,
        isDanger: true,
        statusTexts: refusals,
      },
      async () => {
        await platform.member.cancelInvitation({ id })
        change(list => ({ ...list, data: list.data.filter(one => one.id !== id) }))
        notify(t.cancelled)
        void reload()
      },
    )
  const columns: TableColumn<Invitation>[] = [
    {
      name: t.person,
      cell: one => <PersonCell person={one} />,
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
            onClick={() => void withdraw(one)}
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
        choices={{ pending: t.pending, expired: t.expired }}
        onValue={one => changeQuery({ status: one === 'pending' ? '' : one, page: '' })}
      />
      <Problem error={resend.error} statusTexts={refusals} />
      <Loaded
        load={invitations}
        empty={<Empty icon="mail" title={status === 'pending' ? t.none : t.noneExpired} text={t.noneText} />}
      >
        {({ data }) => <Table label={t.invitations} columns={columns} rows={data} keyOf={one => one.id} />}
      </Loaded>
      <Pager meta={invitations.value?.meta} isLoading={invitations.isLoading} />
    </Section>
  )
}
