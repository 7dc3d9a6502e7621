import type { MemberDetail } from '../../../../gen/client/member.ts'
import { PlatformError } from '../../../client/client.ts'
import { useAction } from '../platform/action.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { go } from '../platform/router.tsx'
import { platform } from '../platform/session.ts'
import { dateOf, fill, useTexts } from '../platform/texts.ts'
import { Button } from '../ui/controls.tsx'
import { saveFile } from '../ui/download.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { Facts, MailLink, PhoneLink } from '../ui/facts.tsx'
import { Empty, Loading, notify, Problem } from '../ui/feedback.tsx'
import { type ConfirmQuestion, confirmAction } from '../ui/form.tsx'
import { BackLink, Card, useTitle } from '../ui/page.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { isAdministrator } from './groups-of.ts'
import { Membership } from './membership.tsx'
import { Places } from './places.tsx'
import { usePresence } from './presence.ts'
import { useNameOfSlug, useRefusals } from './words.ts'

/** One person as the viewer may see them, with what the viewer may change. */
export function Profile({ id }: { id: string }) {
  const t = useTexts('members/profile')
  const context = useMemberContext()
  const nameOf = useNameOf()
  const nameOfSlug = useNameOfSlug()
  const isOnline = usePresence(context.workspace.id).has(id)
  const { value, error, reload } = useLoad(`member/${context.workspace.id}/${id}`, async signal => {
    const [member, rights] = await Promise.all([
      platform.member.getMember({ id }, { signal }),
      context.may('view_members')
        ? platform.member
            .getMemberPermissions({ memberId: id, workspaceId: context.workspace.id }, { signal })
            .catch(undefinedIfMissing)
        : platform.member.getMyPermissions({ workspaceId: context.workspace.id }, { signal }),
    ])
    return { member, rights }
  })
  useEnterWorkspace(value && (one => value.member.workspaces.some(({ workspaceId }) => workspaceId === one.id)))
  useTitle(value ? nameOf(value.member) : t.person)
  const backLink = <BackLink to="/members" text={t.colleagues} />
  const isMissing = error instanceof PlatformError && [400, 404].includes(error.status)
  if (!value || isMissing)
    return (
      <div class="wide members">
        {backLink}
        <h1 class="unseen">{t.person}</h1>
        {isMissing && <Empty icon="people" title={t.missing} text={t.missingText} />}
        {!isMissing && <Problem error={error} onRetry={() => void reload()} />}
        {!error && <Loading />}
      </div>
    )
  const { member, rights } = value
  const membership = member.workspaces.find(one => one.workspaceId === context.workspace.id)
  const status = membership?.status ?? 'active'
  const isSelf = id === context.memberId
  return (
    <div class="wide members">
      {backLink}
      <header class="profile-head row wrap">
        <span class="portrait">
          <Avatar person={member} size={88} />
          {isOnline && <span class="online-dot" />}
        </span>
        <div>
          <h1 dir="auto">{nameOf(member)}</h1>
          <p class="actions">
            {isSelf && <span class="tag strong">{t.you}</span>}
            {isOnline && <span class="tag online">{t.online}</span>}
            {status !== 'active' && <span class={`tag ${status}`}>{nameOfSlug(status)}</span>}
          </p>
        </div>
      </header>
      <Problem error={error} />
      <div class="columns stack loose">
        <div>
          <Card title={t.contact}>
            <Facts
              facts={[
                [t.email, <MailLink address={member.email} />],
                [t.phone, member.phone && <PhoneLink number={member.phone} />],
                [t.since, member.createdAt && dateOf(member.createdAt)],
              ]}
            />
          </Card>
          <Places member={member} reload={reload} />
        </div>
        <div>
          {membership && rights && (
            <Membership key={rights.workspaceRole} member={member} rights={rights} reload={reload} />
          )}
          {membership && <Departure member={member} status={status} reload={reload} />}
        </div>
      </div>
    </div>
  )
}

/** Somebody has no rights in a workspace to which they don't belong. */
function undefinedIfMissing(error: unknown): undefined {
  if (!(error instanceof PlatformError && error.status === 404)) throw error
}

type DepartureProps = { member: MemberDetail; status: string; reload: () => Promise<void> }
type DepartureKind = { question: ConfirmQuestion; act: () => Promise<unknown>; report: string }

/** Suspends, removes, deletes and erases a person, and exports their data; each needs its own permission. */
function Departure({ member, status, reload }: DepartureProps) {
  const t = useTexts('members/departure')
  const context = useMemberContext()
  const refusals = useRefusals()
  const name = useNameOf()(member)
  const { id, email: phrase } = member
  const { id: workspaceId } = context.workspace
  const place = member.workspaces.find(one => one.workspaceId === workspaceId)
  const isAbove = (place?.workspaceRole === 'admin' || place?.isAdmin) && !isAdministrator(context)
  const isSelf = id === context.memberId
  const mayManage = context.may('manage_members') && !isAbove && !isSelf
  const mayRemove = context.may('remove_members') && !isAbove && !isSelf

  const reactivate = useAction(async () => {
    await platform.member.reactivateWorkspaceMember({ workspaceId, memberId: id, body: {} })
    await reload()
    notify(t.reactivated)
  })
  const save = useAction(async () => {
    const data = await platform.member.exportMemberData({ id })
    saveFile(`${id}.json`, new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
    notify(t.exported)
  })
  if (!mayManage && !mayRemove && !context.may('export_data')) return null
  const isElsewhere = (error: unknown) =>
    error instanceof PlatformError && error.status === 403 && !error.message.startsWith('Cannot manage')
  const departures: Record<'suspend' | 'remove' | 'delete' | 'erase', DepartureKind> = {
    suspend: {
      question: { title: fill(t.suspendTitle, { name }), text: t.suspendText, submit: t.suspend },
      act: () => platform.member.suspendWorkspaceMember({ workspaceId, memberId: id, body: {} }).then(reload),
      report: t.suspended,
    },
    remove: {
      question: { title: fill(t.removeTitle, { name }), text: t.removeText, submit: t.remove },
      act: () => platform.member.removeWorkspaceMember({ workspaceId, memberId: id }),
      report: t.removed,
    },
    delete: {
      question: { title: fill(t.deleteTitle, { name }), text: t.deleteText, submit: t.delete, phrase },
      act: () => platform.member.deleteMember({ id }),
      report: t.deleted,
    },
    erase: {
      question: {
        title: fill(t.eraseTitle, { name }),
        text: t.eraseText,
        submit: t.erase,
        phrase,
        statusTexts: error => (isElsewhere(error) ? { 403: t.elsewhere } : refusals(error)),
      },
      act: () => platform.member.eraseMember({ id, body: {} }),
      report: t.erased,
    },
  }
  const ask = async (kind: keyof typeof departures) => {
    const { question, act, report } = departures[kind]
    if (!(await confirmAction({ isDanger: true, statusTexts: refusals, ...question }, act))) return
    if (kind !== 'suspend') go('/members')
    notify(report)
  }
  return (
    <Card title={t.title}>
      <Problem error={reactivate.error ?? save.error} statusTexts={refusals} />
      <div class="stack">
        {mayManage && status === 'active' && <Button onClick={() => void ask('suspend')}>{t.suspend}</Button>}
        {mayManage && status === 'suspended' && (
          <Button variant="main" action={reactivate}>
            {t.reactivate}
          </Button>
        )}
        {context.may('export_data') && (
          <Button icon="download" action={save}>
            {t.export}
          </Button>
        )}
        {mayRemove && (
          <>
            <Button onClick={() => void ask('remove')}>{t.remove}</Button>
            <Button variant="quiet" class="bad" icon="trash" onClick={() => void ask('delete')}>
              {t.delete}
            </Button>
            <Button variant="quiet" class="bad" icon="warning" onClick={() => void ask('erase')}>
              {t.erase}
            </Button>
          </>
        )}
      </div>
    </Card>
  )
}
