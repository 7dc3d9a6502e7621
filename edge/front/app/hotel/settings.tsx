import { useHotel } from '../platform/hotel.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Loading, Problem } from '../ui/feedback.tsx'
import { HotelForm } from './hotel-form.tsx'
import { useManagesHotel } from './hotel-rights.ts'
import { Section } from './section.tsx'
import { StayForm } from './stay-form.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

/** The settings of the workspace, the hotel and its stays, each for those who may change it. */
export function Settings() {
  const t = useTexts('common')
  const { workspace, may } = useMemberContext()
  const managesHotel = useManagesHotel()
  const workspaceLoad = useLoad(may('manage_settings') ? `workspace/${workspace.id}` : null, signal =>
    platform.member.getWorkspace({ id: workspace.id }, { signal }),
  )
  const hotel = useHotel()
  const profileId = hotel.value?.settings?.id ?? null
  const profile = useLoad(managesHotel && profileId ? `hotel-profile/${profileId}` : null, signal =>
    platform.hotel.getSetting({ id: profileId ?? '' }, { signal }),
  )
  return (
    <Section title={t.settings} path="/hotel/settings">
      <Problem error={workspaceLoad.error ?? hotel.error ?? profile.error} />
      {may('manage_settings') && !workspaceLoad.value && !workspaceLoad.error && <Loading />}
      {may('manage_settings') && workspaceLoad.value && (
        <WorkspaceForm workspace={workspaceLoad.value} onSaved={workspaceLoad.reload} />
      )}
      {managesHotel && hotel.value && <HotelForm hotel={hotel.value} onSaved={hotel.reload} />}
      {managesHotel && profile.value && <StayForm profile={profile.value} onSaved={profile.reload} />}
    </Section>
  )
}
