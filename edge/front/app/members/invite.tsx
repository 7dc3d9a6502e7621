import { useMemberContext } from '../platform/member-context.ts'
import { changeQuery, useQuery } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { Toggle } from '../ui/toggle.tsx'
import { InviteMany } from './invite-many.tsx'
import { InviteOne } from './invite-one.tsx'
import { Section } from './section.tsx'

export function Invite() {
  const t = useTexts('members/invite')
  const { may } = useMemberContext()
  const isMany = useQuery().get('from') === 'file' && may('manage_members')
  return (
    <Section title={t.invitePeople} path="/members/invitations">
      {may('manage_members') && (
        <Toggle
          label={t.how}
          value={isMany ? 'file' : ''}
          choices={[
            { value: '', text: t.one },
            { value: 'file', text: t.many },
          ]}
          onValue={from => changeQuery({ from })}
        />
      )}
      {isMany ? <InviteMany /> : <InviteOne />}
    </Section>
  )
}
