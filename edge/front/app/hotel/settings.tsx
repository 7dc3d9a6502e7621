import { useHotel } from '../platform/hotel.ts'
import { useLoad } from '../platform/load.ts'
import { useMemberContext } from '../platform/member-context.ts'
import { loadSession, platform } from '../platform/session.ts'
import { useTexts } from '../platform/texts.ts'
import { Loading, notify, Problem } from '../ui/feedback.tsx'
import { useManagesHotel } from './hotel-rights.ts'
import { HotelLook } from './look.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'

/** The settings of the hotel: those of its workspace, its record and its profile that the person may change. */
export function Settings() {
  const t = useTexts('hotel/settings')
  const { workspace, may } = useMemberContext()
  const managesHotel = useManagesHotel()
  const managesWorkspace = may('manage_settings')
  const workspaceLoad = useLoad(managesWorkspace ? `workspace/${workspace.id}` : null, signal =>
    platform.member.getWorkspace({ id: workspace.id }, { signal }),
  )
  const hotel = useHotel()
  const profileId = (managesHotel && hotel.value?.settings?.id) || null
  const profile = useLoad(profileId ? `hotel-profile/${profileId}` : null, signal =>
    platform.hotel.getSetting({ id: profileId ?? '' }, { signal }),
  )
  const isLoaded =
    managesHotel !== undefined &&
    hotel.value !== undefined &&
    (!managesWorkspace || workspaceLoad.value !== undefined) &&
    (!profileId || profile.value !== undefined)
  const error = workspaceLoad.error ?? hotel.error ?? profile.error
  const records = {
    workspace: workspaceLoad.value,
    hotel: managesHotel ? hotel.value : undefined,
    profile: profile.value,
    onSaved: async () => {
      await Promise.all([workspaceLoad.reload(), hotel.reload(), profile.reload(), loadSession()])
      notify(t.saved)
    },
  }
  return (
    <Section title={t.settings} path="/hotel/settings">
      <Problem error={error} />
      {!isLoaded && !error && <Loading />}
      {isLoaded && (
        <>
          <HotelLook {...records} />
          <SettingsForm {...records} />
        </>
      )}
    </Section>
  )
}
