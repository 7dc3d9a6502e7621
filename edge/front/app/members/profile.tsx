import { PlatformError } from '../../../client/client.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { dateOf, useTexts } from '../platform/texts.ts'
import { BackLink } from '../ui/back-link.tsx'
import { useEnterWorkspace } from '../ui/entering.ts'
import { Facts, MailLink, PhoneLink } from '../ui/facts.tsx'
import { Empty, Loading, Problem } from '../ui/feedback.tsx'
import { Avatar, useNameOf } from '../ui/people.tsx'
import { useTitle } from '../ui/title.ts'
import { Departure } from './departure.tsx'
import { Membership } from './membership.tsx'
import { Places } from './places.tsx'
import { usePresence } from './presence.ts'
import { useNameOfSlug } from './words.ts'

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
        {isMissing && (
          <Empty icon="people" title={t.missing}>
            <p>{t.missingText}</p>
          </Empty>
        )}
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
      <header class="profile-head">
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
      <div class="columns">
        <div>
          <section class="card" aria-labelledby="contact">
            <h2 id="contact">{t.contact}</h2>
            <Facts
              facts={[
                [t.email, <MailLink address={member.email} />],
                [t.phone, member.phone && <PhoneLink number={member.phone} />],
                [t.since, member.createdAt && dateOf(member.createdAt)],
              ]}
            />
          </section>
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
